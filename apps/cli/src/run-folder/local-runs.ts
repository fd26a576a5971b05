import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  unknownTimeLeft,
  type Likelihood,
  type RunOverview,
  type RunStatus,
  type TaskDetails,
  type TaskGrid,
  type Wanted,
} from '@orchard/contracts';
import { families } from '@orchard/registry';
import {
  artefactNames,
  gridOf,
  likelihoodOf,
  openRun,
  taskOf,
  type Family,
  type Run,
  type RunLook,
} from '@orchard/pipeline';
import { entriesBelow, FilesystemStore, type ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { UsageError, messageOf } from '../output/errors.js';
import { jsonIn } from '../output/json-file.js';
import { isFolder, runOfFolder } from './stored-run.js';

/** What was stored so lately is being trained. */
const livelyMilliseconds = 30_000;
/** Curves that are read for one answer: they lie on this machine. */
const mostCurves = 4096;

const timingsSchema = z.looseObject({
  runId: z.string(),
  choice: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** A run of a folder, as the store in it has it. */
export interface LocalRun {
  readonly folder: string;
  readonly store: ObjectStore;
  readonly run: Run;
  readonly family: Family;
  readonly choice: Wanted;
}

/** A folder with a store in which no run can be read, and why. */
interface OtherFolder {
  readonly folder: string;
  readonly why: string;
}

/** @throws UsageError for what is not a folder, and where there is no run in any */
export async function openLocalRuns(folders: readonly string[]): Promise<LocalRuns> {
  const runs = new LocalRuns(folders);
  if ((await runs.all()).size > 0) return runs;
  throw new UsageError({
    got: `no run in ${folders.join(', ')}`,
    expected: 'folders that orchard train wrote or writes, or folders of such',
    where: 'DIR',
    remedy: 'Train one first: orchard train FILE --out DIR',
  });
}

/** Runs of this machine, in the documents that a coordinator speaks. */
export class LocalRuns {
  readonly #opened = new Map<string, LocalRun>();
  readonly #nats = new Map<string, Map<string, number>>();

  /** @throws UsageError for what is not a folder */
  constructor(private readonly given: readonly string[]) {
    for (const folder of given)
      if (!isFolder(folder))
        throw new UsageError({
          got: `${folder}, which is not a folder`,
          expected: 'folders that orchard train wrote, or folders of such',
          where: 'DIR',
          remedy: 'Give the --out of an orchard train.',
        });
  }

  /** By id; folders that came since are among them, but of two with one run only the later. */
  async all(): Promise<ReadonlyMap<string, LocalRun>> {
    const found = await this.folders();
    return new Map(found.flatMap((one) => ('run' in one ? [[one.run.id, one] as const] : [])));
  }

  /** Each folder with a store: its run, or why there is none. */
  async folders(): Promise<readonly (LocalRun | OtherFolder)[]> {
    const found: (LocalRun | OtherFolder)[] = [];
    for (const folder of await runFolders(this.given)) {
      // one that has just begun has no specification yet, and one of another release none that is known here
      found.push(await this.#open(folder).catch((error: unknown) => ({ folder, why: messageOf(error) })));
    }
    return found;
  }

  async list(): Promise<readonly RunOverview[]> {
    return Promise.all([...(await this.all()).values()].map((run) => this.overview(run)));
  }

  async overview(run: LocalRun): Promise<RunOverview> {
    return overviewOf(run, await this.#look(run));
  }

  async status(run: LocalRun): Promise<RunStatus> {
    const look = await this.#look(run);
    const { stages, tasks, complete } = look.plan;
    const { none } = run.family.results ?? {};
    const likelihood = tasks.length === 0 ? null : ((await this.likelihood(run)).points.at(-1)?.[1] ?? null);
    return {
      ...overviewOf(run, look),
      specification: run.run.specification,
      choices: [run.choice],
      networks: [...complete],
      stages: Object.fromEntries(
        Object.entries(stages).map(([kind, counts]) => [
          kind,
          counts && { ...counts, waiting: counts.total - counts.done, active: 0, quarantined: 0 },
        ]),
      ),
      treesPerSecond: 0,
      ...unknownTimeLeft,
      logLikelihood: likelihood,
      quarantined: [],
      retrying: [],
      notices: [],
      waits: [],
      ...(tasks.length > 0 ? none : await run.family.results?.of(run.store, run.run)),
    };
  }

  async grid(run: LocalRun): Promise<TaskGrid> {
    return gridOf(await this.#look(run));
  }

  async task(run: LocalRun, work: string): Promise<TaskDetails | null> {
    return taskOf(await this.#look(run), run.store, work);
  }

  async likelihood(run: LocalRun): Promise<Likelihood> {
    const known = this.#nats.get(run.run.id) ?? new Map<string, number>();
    this.#nats.set(run.run.id, known);
    return likelihoodOf(await this.#look(run), run.store, known, mostCurves);
  }

  async #look({ store, run, family, choice }: LocalRun): Promise<RunLook> {
    const entries = await entriesBelow(store, artefactNames.run(run.id));
    const plan = await family.missing(store, run, [choice], { withReport: false });
    const first = entries.reduce((least, { storedAt }) => Math.min(least, storedAt), Date.now());
    return {
      family,
      run,
      entries,
      plan,
      submittedAt: new Date(first).toISOString(),
      attempts: new Map(),
      givenUp: new Set(),
      held: new Map(),
    };
  }

  async #open(folder: string): Promise<LocalRun> {
    const timings = await jsonIn(join(folder, 'timings.json'), timingsSchema);
    const known = this.#opened.get(folder);
    const store = known?.store ?? (await FilesystemStore.open(join(folder, 'store')));
    const run = known?.run ?? (await openRun(store, await runOfFolder(folder, store)));
    const family = families.of(run.specification);
    const said = timings?.runId === run.id ? timings.choice : null;
    const opened = { folder, store, run, family, choice: said ?? family.resolve({}, run.datasets).choice };
    this.#opened.set(folder, opened);
    return opened;
  }
}

function overviewOf({ run, family, choice }: LocalRun, { plan, entries, submittedAt }: RunLook): RunOverview {
  const kind = plan.tasks[0]?.task.kind;
  const newest = entries.reduce((most, { storedAt }) => Math.max(most, storedAt), 0);
  const isLively = Date.now() - newest < livelyMilliseconds;
  const working = family.kinds.find((one) => one.kind === kind)?.state ?? 'training';
  const state = kind === undefined ? 'done' : isLively ? working : 'cancelled';
  const reason = state === 'cancelled' ? 'Nothing of it was stored lately: its orchard train has stopped.' : null;
  return { id: run.id, family: family.name, state, submittedAt, choice, reason, train: run.specification.train };
}

/** Those that are runs themselves, and those directly below the others. */
export async function runFolders(folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    if (isFolder(join(folder, 'store'))) found.push(folder);
    else
      for (const { name } of await readdir(folder, { withFileTypes: true }))
        if (isFolder(join(folder, name, 'store'))) found.push(join(folder, name));
  }
  return found;
}
