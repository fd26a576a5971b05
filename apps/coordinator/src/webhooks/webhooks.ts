import type { RunSheet } from '@orchard/contracts';
import { artefactNames, concurrently } from '@orchard/pipeline';
import type { RunSheets, Runs } from '@orchard/runs';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import type { Logger } from 'pino';
import { Repeated } from '../operations/repeated.js';
import { CoordinatorError } from '../errors.js';
import { Deliveries, mostAttempts, type Delivery } from './deliveries.js';
import { sendWebhook, type RunEnd } from './send-webhook.js';
import { isAllowed, type WebhookSettings } from './webhook-settings.js';

const lookMilliseconds = 5_000;
/** A receiver that does not answer takes ten seconds: those of other runs do not wait for it. */
const runsAtOnce = 16;

export interface WebhookPorts {
  readonly store: ObjectStore;
  readonly sheets: Pick<RunSheets, 'of'>;
  /** How a run has ended; null of one that is open, and of one that is gone. */
  readonly endOf: Runs['endOf'];
  readonly log: Logger;
}

/**
 * Tells the address that a submission names of the end of its run, at least once. `notify/<run>` is there while there
 * is something to tell: from the submission (or a resumption) until the receiver has taken it or all attempts have
 * failed. Every coordinator looks there every few seconds, so any of them may die.
 */
export class Webhooks {
  readonly #deliveries: Deliveries;
  readonly #repeated: Repeated;

  constructor(
    private readonly ports: WebhookPorts,
    private readonly settings: WebhookSettings | null,
  ) {
    this.#deliveries = new Deliveries(ports.store);
    const failed = 'webhooks could not be looked after; tried again in seconds';
    this.#repeated = new Repeated(() => this.deliver(), lookMilliseconds, ports.log, failed);
  }

  get areSent(): boolean {
    return this.settings !== null;
  }

  /** @throws CoordinatorError `over-limit` */
  requireAllowed(url: string): void {
    if (this.settings !== null && isAllowed(url, this.settings.allowed)) return;
    const origins = this.settings?.allowed.map(({ origin }) => origin) ?? [];
    throw new CoordinatorError('over-limit', {
      got: 'an address that this coordinator does not send to',
      expected:
        origins.length === 0 ? 'none: it sends no webhooks' : `an address of ${[...new Set(origins)].join(', ')}`,
      where: 'run request, "notify"',
      remedy: 'Leave it out, or ask the administrator (ORCHARD_WEBHOOK_URLS). orchard watch --exec needs neither.',
    });
  }

  /** There will be an end to tell of. */
  async expect(run: string): Promise<void> {
    await this.ports.store.put(nameOf(run), new Uint8Array());
  }

  /** What was tried, the latest end first. */
  async of(run: string): Promise<readonly Delivery[]> {
    const ends = [...(await this.#deliveries.ends(run))].reverse();
    return Promise.all(ends.map((end) => this.#deliveries.of(run, end)));
  }

  start(): void {
    if (this.settings !== null) this.#repeated.start();
  }

  stop(): Promise<void> {
    return this.#repeated.stop();
  }

  /** One look: makes the attempts that are due. */
  async deliver(now = Date.now()): Promise<void> {
    const names = (await entriesBelow(this.ports.store, artefactNames.notifications)).map(({ name }) => name);
    await concurrently(names, runsAtOnce, async (name) => {
      const run = name.slice(artefactNames.notifications.length);
      await this.#deliverOf(run, now).catch((error: unknown) => {
        this.ports.log.warn({ run, error }, 'the end of a run could not be announced; tried again in seconds');
      });
    });
  }

  async #deliverOf(run: string, now: number): Promise<void> {
    const { store, sheets, endOf, log } = this.ports;
    const ended = await endOf(run);
    if (ended === 'open') return;
    const sheet = await sheets.of(run);
    const url = sheet?.notify;
    if (ended === null || url === undefined) {
      await store.delete(nameOf(run));
      return;
    }
    const { end, ...facts } = ended;
    const before = await this.#deliveries.of(run, end);
    if (before.state !== 'pending') {
      await store.delete(nameOf(run));
      // it was resumed between the two looks, and ends again
      if ((await endOf(run)) === 'open') await this.expect(run);
      return;
    }
    if (before.dueAt !== null && before.dueAt > now) return;
    const attempt = before.attempts.length;
    if (!(await this.#deliveries.begin(run, end, attempt, now))) return;
    const outcome = await this.#send(url, endOfRun(run, sheet!, facts), `${run}/${String(end)}`, attempt);
    await this.#deliveries.finish(run, end, attempt, outcome, Date.now());
    if (outcome.reason === null) log.info({ run, attempt }, 'the end of a run was announced');
    else log.warn({ run, attempt, most: mostAttempts, reason: outcome.reason }, 'the end of a run was not taken');
  }

  /** An address that the operator allows no more is not asked, though the run was submitted when it was. */
  async #send(url: string, end: RunEnd, id: string, attempt: number): ReturnType<typeof sendWebhook> {
    const { allowed = [], secret = '' } = this.settings ?? {};
    if (!isAllowed(url, allowed)) return { status: null, reason: 'this coordinator does not send there any more' };
    return sendWebhook(url, end, { secret, id, attempt });
  }
}

const nameOf = (run: string): string => `${artefactNames.notifications}${run}`;

type EndFacts = Pick<RunEnd, 'family' | 'state' | 'reason' | 'submittedAt' | 'endedAt'>;

function endOfRun(run: string, { name, labels, submitter }: RunSheet, facts: EndFacts): RunEnd {
  const submittedBy = submitter.way === 'anonymous' ? null : submitter.name;
  return { event: 'run-ended', run, name, labels, ...facts, submittedBy };
}
