import { StorageError } from './errors.js';
import type { ByteRange, ListOptions, ObjectEntry, ObjectStore, PutResult } from './object-store.js';

/** What a request has: all of it for a short one, between two signs of life of the store for a transfer. */
const REQUEST_MILLISECONDS = 5_000;
/** What the store has to answer a probe. */
const PROBE_MILLISECONDS = 2_000;
/** Between two probes of a store that is away. */
const PAUSE_MILLISECONDS = 1_000;

/** Since when a store does not answer, and how that showed. */
export interface Outage {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
  /** Whether it answers, and refuses. */
  readonly isAnswering: boolean;
}

/**
 * A store whose requests end in time, with one breaker for all of them.
 *
 * A network that swallows packets reports nothing: each request waits for its own timeout, and for those of its
 * retries. Here a request that is not answered in time fails, and the store is probed by a request of its own. A store
 * that does not answer that either is away: from then on every request is refused at once, and the probe is repeated
 * until it is answered. A transfer may take longer than the deadline while the store answers probes: how many bytes
 * come is not known before.
 *
 * A request that was given up here may still succeed there, as any request may whose answer is lost.
 */
export class GuardedStore implements ObjectStore {
  readonly #listeners = new Set<(outage: Outage | null) => void>();
  #outage: Outage | null = null;
  #probe: Promise<boolean> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param latestFailure the name of what the store answered last, where that was a failure: why it is late */
  constructor(
    private readonly store: ObjectStore,
    private readonly latestFailure: () => string | null = () => null,
  ) {}

  /** Null while the store answers. */
  get outage(): Outage | null {
    return this.#outage;
  }

  /** Calls `listener` whenever the store goes away or comes back. */
  onChange(listener: (outage: Outage | null) => void): void {
    this.#listeners.add(listener);
  }

  put(name: string, bytes: Uint8Array): Promise<PutResult> {
    return this.#transfer(name, () => this.store.put(name, bytes));
  }

  get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    return this.#transfer(name, () => this.store.get(name, range));
  }

  head(name: string): Promise<ObjectEntry | null> {
    return this.#request(name, () => this.store.head(name));
  }

  list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    return this.#request(prefix, () => this.store.list(prefix, options));
  }

  delete(name: string): Promise<void> {
    return this.#request(name, () => this.store.delete(name));
  }

  #request<T>(where: string, send: () => Promise<T>): Promise<T> {
    return this.#guarded(where, send, () => Promise.resolve(false));
  }

  #transfer<T>(where: string, send: () => Promise<T>): Promise<T> {
    return this.#guarded(where, send, () => this.#isAnswering());
  }

  /** @param mayGoOn asked whenever the time is over */
  async #guarded<T>(where: string, send: () => Promise<T>, mayGoOn: () => Promise<boolean>): Promise<T> {
    if (this.#outage !== null) throw refused(where, this.#outage);
    const answer = send();
    try {
      for (;;) {
        const first = await within(REQUEST_MILLISECONDS, answer);
        if (first !== late) return first;
        if (await mayGoOn()) continue;
        throw new StorageError('unavailable', {
          got: whyLate(REQUEST_MILLISECONDS, this.#refusalOfLate(), ' from object storage'),
          expected: 'an answer',
          where,
          remedy: 'Check that the server runs and can be reached, then try again.',
        });
      }
    } catch (error) {
      if (error instanceof StorageError && error.code === 'unavailable') void this.#isAnswering();
      throw error;
    } finally {
      // given up: its outcome no longer has a reader
      answer.catch(() => undefined);
    }
  }

  /** One probe for all who doubt the store; opens or closes the breaker by its outcome. */
  #isAnswering(): Promise<boolean> {
    this.#probe ??= within(PROBE_MILLISECONDS, this.store.list('', { limit: 1 }))
      .then((answer) => (answer === late ? whyLate(PROBE_MILLISECONDS, this.#refusalOfLate()) : null))
      .catch((error: unknown) => (error instanceof StorageError ? error.got : String(error)))
      .then((reason) => {
        this.#probe = null;
        this.#judge(reason);
        return reason === null;
      });
    return this.#probe;
  }

  /** A server that asks to slow down answers each attempt, and the request is late all the same. */
  #refusalOfLate(): string | null {
    const failure = this.latestFailure();
    return failure === null || isConnectionFailure.test(failure) ? null : failure;
  }

  #judge(reason: string | null): void {
    const wasAway = this.#outage !== null;
    if (reason === null) this.#outage = null;
    else this.#outage ??= { since: Date.now(), reason, isAnswering: answers.test(reason) };
    if (reason !== null && this.#timer === null) {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        void this.#isAnswering();
      }, PAUSE_MILLISECONDS);
      this.#timer.unref();
    }
    if (wasAway === (this.#outage !== null)) return;
    for (const listener of this.#listeners) listener(this.#outage);
  }
}

const late = Symbol('late');

/** What the system calls a connection that does not come about, and what is aborted for its time. */
const isConnectionFailure = /^E[A-Z]+$|Timeout|Abort/;
/** Words of a server: an HTTP status, or its name for what is wrong. */
const answers = /\(\d{3}\)|^only /;

/** The answer, or `late` where it does not come in time. */
async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function whyLate(milliseconds: number, refusal: string | null, from = ''): string {
  const time = `within ${milliseconds / 1000} s`;
  return refusal === null ? `no answer${from} ${time}` : `only ${refusal}${from} to all attempts ${time}`;
}

function refused(where: string, { since, reason }: Outage): StorageError {
  return new StorageError('unavailable', {
    got: `${reason} from object storage, since ${new Date(since).toISOString()}`,
    expected: 'a store that answers',
    where,
    remedy: 'Check that the server runs and can be reached; it is asked again every second.',
  });
}
