import { Inject, Injectable } from '@nestjs/common';
import { endStates, shownSheet, type RunOverview, type RunStatus } from '@orchard/contracts';
import { RunPins, RunSheets, type RunLife } from '@orchard/runs';
import { concurrently } from '@orchard/pipeline';
import { CoordinatorError } from '../errors.js';
import { Housekeeping } from '../operations/housekeeping.js';
import { Port, type Ports } from '../ports.js';

const costsAtOnce = 32;
const secondsOfBytes = 60;
const noPins: ReadonlySet<string> = new Set();

/** Statuses as the API shows them. */
@Injectable()
export class ShownRuns {
  constructor(
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(RunSheets) private readonly sheets: RunSheets,
    @Inject(RunPins) private readonly pins: RunPins,
    @Inject(Port.costOf) private readonly costOf: Ports['costOf'],
    @Inject(Port.use) private readonly use: Ports['use'],
    @Inject(Housekeeping) private readonly housekeeping: Housekeeping,
  ) {}

  /** @throws RunError `unknown-run` */
  async get(id: string): Promise<RunStatus> {
    const status = await this.named(id, there(await this.life.status(id)));
    return this.#withOutlook(status);
  }

  /** The same with what is written down of the run. A store that is away has nothing to say of it. */
  async named<Shown extends RunOverview>(id: string, run: Shown): Promise<Shown> {
    const [sheet, pins] = await Promise.all([
      this.sheets.of(id).catch(() => null),
      this.pins.shown().catch(() => noPins),
    ]);
    return { ...run, ...shownSheet(sheet), ...(pins.has(id) && { pinned: true as const }) };
  }

  /** With what each of some runs has cost. */
  async withCosts<Shown extends RunOverview>(runs: readonly Shown[]): Promise<Shown[]> {
    await this.use.within(secondsOfBytes).catch(() => undefined);
    const costs = new Map<string, Pick<RunOverview, 'cost'>>();
    await concurrently(runs, costsAtOnce, async ({ id }) => {
      costs.set(id, await this.#costOf(id));
    });
    return runs.map((run) => ({ ...run, ...costs.get(run.id) }));
  }

  async allNamed<Shown extends RunOverview>(runs: readonly Shown[]): Promise<Shown[]> {
    const sheets = await this.sheets.ofAll(runs.map(({ id }) => id));
    const pins = await this.pins.shown();
    return runs.map((run) => ({
      ...run,
      ...shownSheet(sheets.get(run.id) ?? null),
      ...(pins.has(run.id) && { pinned: true as const }),
    }));
  }

  /** With what it has cost, and when it is deleted. */
  async #withOutlook(status: RunStatus): Promise<RunStatus> {
    const { id, pinned } = status;
    const mayGo = pinned !== true && hasEnded(status);
    const [cost, deletion] = await Promise.all([
      this.#costOf(id),
      mayGo ? this.housekeeping.deletionOf(id).catch(() => null) : null,
    ]);
    return { ...status, ...cost, ...(deletion !== null && { deletion }) };
  }

  /** A store that is away has nothing to say of it. */
  async #costOf(id: string): Promise<Pick<RunOverview, 'cost'>> {
    const cost = await this.costOf(id).catch(() => null);
    if (cost === null) return {};
    return { cost: { ...cost, storedBytes: this.use.last?.runs.get(id) ?? null } };
  }

  /** The status now, and whenever it has changed; see {@link RunLife.events}. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<RunStatus, void> {
    let isFirst = true;
    for await (const status of this.life.events(id, signal)) {
      if (isFirst) there(status);
      else if (status.state === 'deleting') return;
      isFirst = false;
      const named = await this.named(id, status);
      // while a run goes a status comes every second, for everyone who watches: only the last has what is read for it
      yield hasEnded(status) ? await this.#withOutlook(named) : named;
    }
  }
}

const hasEnded = ({ state }: RunStatus): boolean => endStates.some((end) => end === state);

/** A run that was deleted is gone for every client, though its objects are still being removed. */
function there(status: RunStatus): RunStatus {
  if (status.state !== 'deleting') return status;
  throw new CoordinatorError('not-found', {
    got: `run ${status.id}, which is being removed`,
    expected: 'a run that was not deleted',
    remedy: 'Submit it again when it no longer shows among the runs.',
  });
}
