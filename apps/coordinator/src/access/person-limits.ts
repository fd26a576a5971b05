import { Inject, Injectable } from '@nestjs/common';
import { personOf, type Submitter } from '@orchard/contracts';
import { isRefusal } from '@orchard/refusal';
import type { RunLife } from '@orchard/runs';
import { NO_LIMIT, type Config, type LimitsOfPerson } from '../config.js';
import { CoordinatorError } from '../errors.js';
import { Port, type Ports } from '../ports.js';

/** How old a figure of stored bytes may be: who has just deleted something is asked about anew before a refusal. */
const seconds = { usual: 60, beforeRefusal: 2 } as const;

/** Ends after which a run is opened again by a client that asks for it. */
const stopped = ['cancelled', 'failed'];

/** What one person uses; null where the store does not answer. */
export interface Uses {
  readonly openRuns: number | null;
  readonly threads: number;
  readonly storedBytes: number | null;
}

/** What a person may use of the cluster, and what they do use. Requests of one moment may each find room for one. */
@Injectable()
export class PersonLimits {
  readonly #most: LimitsOfPerson;

  constructor(
    @Inject(Port.config) config: Config,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(Port.openRunsOf) private readonly openRunsOf: Ports['openRunsOf'],
    @Inject(Port.use) private readonly use: Ports['use'],
    @Inject(Port.busyPeople) private readonly busyPeople: Ports['busyPeople'],
  ) {
    this.#most = config.limits.ofPerson;
  }

  /** Null where there is none. */
  get limits(): Readonly<Record<keyof LimitsOfPerson, number | null>> {
    const { threads, openRuns, storedBytes } = this.#most;
    return { threads: limitOf(threads), openRuns: limitOf(openRuns), storedBytes: limitOf(storedBytes) };
  }

  async usesOf(submitter: Submitter): Promise<Uses> {
    const person = personOf(submitter);
    const [openRuns, storedBytes] = await Promise.all([
      this.openRunsOf(person).catch(() => null),
      this.#storedBytes(person, seconds.usual).catch(() => null),
    ]);
    return { openRuns, threads: this.busyPeople().get(person)?.threads ?? 0, storedBytes };
  }

  /**
   * Of a run that is there already no more bytes are asked, and where it has not stopped no place among the open ones:
   * one that was cancelled or has failed is opened again.
   *
   * @throws CoordinatorError `over-limit`
   */
  async requireRoomForRun(id: string, submitter: Submitter): Promise<void> {
    await this.requireRoomToOpen(id, submitter);
    await this.#requireBytes(submitter, 'run request', () => this.#isThere(id));
  }

  /** @throws CoordinatorError `over-limit` */
  async requireRoomToOpen(id: string, submitter: Submitter): Promise<void> {
    const most = this.#most.openRuns;
    const open = most === NO_LIMIT ? 0 : await this.openRunsOf(personOf(submitter));
    if (open >= most && !(await this.#isThere(id, stopped))) {
      throw new CoordinatorError('over-limit', {
        got: `a run more of ${JSON.stringify(submitter.name)}, of whom ${String(open)} runs are open`,
        expected: `at most ${String(most)} open runs of a person on this coordinator`,
        where: 'run request',
        remedy: 'Wait until one has ended, cancel one, or ask the administrator (ORCHARD_MAX_OPEN_RUNS_PER_PERSON).',
      });
    }
  }

  /** @throws CoordinatorError `over-limit` */
  async requireRoomForRows(submitter: Submitter): Promise<void> {
    await this.#requireBytes(submitter, 'upload', () => Promise.resolve(false));
  }

  async #requireBytes(submitter: Submitter, where: string, isThere: () => Promise<boolean>): Promise<void> {
    const most = this.#most.storedBytes;
    if (most === NO_LIMIT) return;
    const person = personOf(submitter);
    if ((await this.#storedBytes(person, seconds.usual)) < most) return;
    const stored = await this.#storedBytes(person, seconds.beforeRefusal);
    if (stored < most || (await isThere())) return;
    throw new CoordinatorError('over-limit', {
      got: `more of ${JSON.stringify(submitter.name)}, whose runs and their data sets take ${String(stored)} bytes`,
      expected: `less than ${String(most)} bytes stored for a person on this coordinator`,
      where,
      remedy:
        'Delete runs that are not needed (orchard delete), or ask the administrator (ORCHARD_MAX_STORED_BYTES_PER_PERSON).',
    });
  }

  async #storedBytes(person: string, withinSeconds: number): Promise<number> {
    const use = (await this.use.within(withinSeconds)).people.get(person);
    return use === undefined ? 0 : use.runBytes + use.datasetBytes;
  }

  /** @param but states in which it does not count as there */
  async #isThere(id: string, but: readonly string[] = []): Promise<boolean> {
    return this.life.status(id).then(
      ({ state }) => !but.includes(state),
      (error: unknown) => {
        if (isRefusal(error, 'unknown-run')) return false;
        throw error;
      },
    );
  }
}

const limitOf = (most: number): number | null => (most === NO_LIMIT ? null : most);
