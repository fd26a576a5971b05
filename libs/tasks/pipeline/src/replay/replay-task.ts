import { dimensionOfTask, taskNames, type Task, type TaskProgress, type Wanted } from '@orchard/contracts';
import type { Kernel } from '@orchard/kernel';
import { firstAndMore } from '@orchard/refusal';
import { FilesystemStore, listAll, StorageError, type ObjectStore } from '@orchard/storage';
import { join } from 'node:path';
import { artefactNames } from '../artefact-names.js';
import { PipelineError } from '../errors.js';
import { kindOf, type Family, type PlannedTask } from '../family.js';
import { LocalCompute } from '../local-compute.js';
import type { Run } from '../run.js';
import { OverlayStore } from './overlay-store.js';
import { possibleWanted } from './possible-wanted.js';

export interface ReplayOptions {
  /** Is read, and left as it is. */
  readonly store: ObjectStore;
  readonly family: Family;
  readonly run: Run;
  /**
   * A kind of the family's tasks, and the key of one: whole, or the number or name of the dimension that it is about.
   */
  readonly task: { readonly kind: string; readonly key: string | null };
  /** An empty folder for what the task writes: `outputs`, a store. */
  readonly folder: string;
  /** Whether the folder gets a copy of all that the task reads too: `inputs`, a store. */
  readonly keepInputs: boolean;
  /** What is known to be wanted of the run: see `possibleWanted`. */
  readonly wanted?: readonly Wanted[] | undefined;
  /** Whether a model is made with its report. */
  readonly withReport: boolean;
  /** @default 'wasm' */
  readonly kernel?: Kernel['kind'] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onTask?: ((task: Task) => void) | undefined;
  readonly onProgress?: ((progress: TaskProgress) => void) | undefined;
}

/** An object that the task wrote, held against the store's. */
export interface ReplayedOutput {
  readonly name: string;
  readonly bytes: number;
  readonly stored: 'same' | 'other' | 'nothing' | 'damaged';
}

export interface Replay {
  readonly task: Task;
  readonly seconds: number;
  /** The most memory that this process had in use, since its start. */
  readonly peakBytes: number;
  /** What the task failed with; undefined where it did not. */
  readonly error: unknown;
  /** What it left, checkpoints of a task that failed included. */
  readonly outputs: readonly ReplayedOutput[];
}

/**
 * Does one task of a run here, as if it were not done: on the inputs that are stored, one thread, writing to a folder
 * alone. So it shows why a task failed, or whether what is stored of it is right.
 *
 * @throws PipelineError `bad-request` where the run has no such task, or what it needs is not there yet
 */
export async function replayTask(options: ReplayOptions): Promise<Replay> {
  const { store, family, run, folder, keepInputs, kernel = 'wasm', withReport, signal, onTask, onProgress } = options;
  const top = await FilesystemStore.open(join(folder, 'outputs'));
  const copies = keepInputs ? await FilesystemStore.open(join(folder, 'inputs')) : null;
  const overlayOf = (isHidden: (name: string) => boolean): OverlayStore =>
    new OverlayStore({ base: store, top, copies, isHidden });
  const { planned, isHidden } = await findTask(options, overlayOf);
  const { task, detail, isNew } = planned;
  onTask?.(task);
  const overlay = overlayOf(isHidden);
  const compute = new LocalCompute(family.computations, { store: overlay, threads: 1, kernel });
  const begun = performance.now();
  let error: unknown;
  try {
    await family.handlers[task.kind]!(
      { store: overlay, compute, isNew, signal, onProgress, withReport },
      run,
      task,
      detail,
    );
  } catch (thrown) {
    error = thrown ?? new Error('nothing was thrown, as an error');
  } finally {
    await compute.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { task, seconds, peakBytes, error, outputs: await compareOutputs(store, top) };
}

interface Found {
  readonly planned: PlannedTask;
  readonly isHidden: (name: string) => boolean;
}

/**
 * The task as the family plans it once its own artefact, and all that comes after it, are as if they were not there.
 * Where its key is not that of an artefact (one task that stores several, or a dimension) its whole kind is.
 */
async function findTask(
  { family, run, task: { kind, key }, wanted, withReport }: ReplayOptions,
  overlayOf: (isHidden: (name: string) => boolean) => ObjectStore,
): Promise<Found> {
  const { folder } = kindOf(family, kind);
  const later = family.kinds.slice(family.kinds.findIndex((one) => one.kind === kind) + 1).map((one) => one.folder);
  const ends = [...later.filter((other) => other !== folder), 'networks', 'summaries', 'reports'];
  const prefixes = ends.map((name) => `${artefactNames.run(run.id)}${name}/`);
  const isAfter = (name: string): boolean => prefixes.some((prefix) => name.startsWith(prefix));
  const hiding = {
    own: (own: string) => (name: string) =>
      name === taskNames.artefact({ run: run.id, key: own }, folder) || isAfter(name),
    kind: (name: string) => name.startsWith(`${artefactNames.run(run.id)}${folder}/`) || isAfter(name),
  };
  const planned = async (isHidden: (name: string) => boolean): Promise<readonly PlannedTask[]> => {
    const plan = await family.missing(overlayOf(isHidden), run, possibleWanted(family, wanted), { withReport });
    return plan.tasks;
  };
  const exactly = async (own: string): Promise<Found | null> => {
    const isHidden = hiding.own(own);
    const found = (await planned(isHidden)).find(({ task }) => task.kind === kind && task.key === own);
    return found === undefined ? null : { planned: found, isHidden };
  };
  const direct = key === null ? null : await exactly(key);
  if (direct !== null) return direct;
  const tasks = await planned(hiding.kind);
  const ofKind = tasks.filter(({ task }) => task.kind === kind);
  const found = choose(ofKind, key, run);
  if (found === null) throw noSuchTask(run, kind, key, ofKind, tasks);
  return (await exactly(found.task.key)) ?? { planned: found, isHidden: hiding.kind };
}

function choose(tasks: readonly PlannedTask[], key: string | null, run: Run): PlannedTask | null {
  if (key === null) return tasks.length === 1 ? tasks[0]! : null;
  const named = run.datasets.train.names?.indexOf(key) ?? -1;
  const dimension = named >= 0 ? named : /^\d{1,9}$/.test(key) ? Number(key) : null;
  const isIt = ({ task }: PlannedTask): boolean =>
    task.key === key || (dimension !== null && dimensionOfTask(task) === dimension);
  return tasks.find(isIt) ?? null;
}

/** Names in a message. */
const fewTasks = 8;

function noSuchTask(
  run: Run,
  kind: string,
  key: string | null,
  ofKind: readonly PlannedTask[],
  all: readonly PlannedTask[],
): PipelineError {
  const asked = key === null ? kind : taskNames.work({ kind, key });
  const before = all.find(({ task }) => task.kind !== kind);
  if (ofKind.length === 0) {
    return new PipelineError('bad-request', {
      got: `${asked} of run ${run.id}`,
      expected:
        before === undefined
          ? 'a task that this run has'
          : `a task whose inputs are stored: ${taskNames.work(before.task)} and others come first`,
      where: 'TASK',
      remedy: 'Name a task of a kind that the run has come to.',
    });
  }
  const names = ofKind.map(({ task }) => taskNames.work(task));
  return new PipelineError('bad-request', {
    got: `${asked} of run ${run.id}`,
    expected: `one of ${firstAndMore(names, fewTasks)}`,
    where: 'TASK',
    remedy: 'Name one of these; where a task is about a dimension, its number from 0 or its name will do.',
  });
}

async function compareOutputs(store: ObjectStore, outputs: ObjectStore): Promise<readonly ReplayedOutput[]> {
  const compared: ReplayedOutput[] = [];
  for await (const { name, size } of listAll(outputs, '')) {
    compared.push({ name, bytes: size, stored: await compare(store, name, await outputs.get(name)) });
  }
  return compared;
}

async function compare(store: ObjectStore, name: string, bytes: Uint8Array): Promise<ReplayedOutput['stored']> {
  try {
    return Buffer.compare(await store.get(name), bytes) === 0 ? 'same' : 'other';
  } catch (error) {
    if (error instanceof StorageError && error.code === 'missing') return 'nothing';
    if (error instanceof StorageError && error.code === 'damaged') return 'damaged';
    throw error;
  }
}
