import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dimensionOfTask,
  memberOfTask,
  modelSummarySchema,
  taskNames,
  wantedSchema,
  type Task,
  type Wanted,
} from '@orchard/contracts';
import {
  artefactNames,
  bySources,
  readDocument,
  replayTask,
  type Family,
  type Replay,
  type ReplayedOutput,
} from '@orchard/pipeline';
import { posted, type PostedError } from '@orchard/refusal';
import { listAll, makeFolder } from '@orchard/storage';
import { writeFailure } from '../output/disk-error.js';
import { TaskError, UsageError, interrupted, messageOf } from '../output/errors.js';
import { listenForInterruption } from '../output/interruption.js';
import { declareCommand } from '../options/add-command.js';
import { bytes, count, duration } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { openStoredRun, type StoredRun } from '../run-folder/stored-run.js';
import { option, type Parsed, type TypedOption } from '../options/option.js';

const replayOptions = () => [
  option('--keep <dir>', 'keep the inputs and outputs of the task in this folder'),
  option('--kernel <kernel>', 'kernel to use; reference is slow and readable')
    .choices(['wasm', 'reference'])
    .default('wasm') as TypedOption<{ readonly kernel: 'wasm' | 'reference' }>,
];

type ReplayCommandOptions = Parsed<typeof replayOptions>;

export const addReplayCommand = declareCommand(
  {
    name: 'replay',
    description:
      'Run one task of a run again on this machine to see why it failed. The run and its store do not change.',
    places: [
      ['<RUN>', 'folder of a run, or id of a run in the store of ORCHARD_STORE'],
      [
        '<TASK...>',
        'name of the task, as orchard logs prints it: train/17, or train and the column, by name or number from 0',
      ],
    ],
    options: replayOptions,
    examples: [
      ['orchard replay run train/17', ''],
      ['orchard replay run train smoker', 'the same, by name'],
      ['ORCHARD_STORE=s3://bucket orchard replay 3fa2c1 select', 'a task of a cluster'],
      ['orchard replay run train/17 --keep inside --kernel reference', 'keep inputs and outputs'],
    ],
    notes: ['Exit codes: 0 if the task succeeded, 1 if it failed or its bytes differ from the stored ones.'],
  },
  replay,
);

async function replay(
  given: string,
  words: readonly string[],
  { keep, kernel }: ReplayCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const stored = await openStoredRun(given);
  const task = taskOf(words, stored.family);
  const folder = keep === undefined ? await mkdtemp(join(tmpdir(), 'orchard-replay-')) : await emptyFolder(keep);
  const interruption = listenForInterruption(() => terminal.note('orchard: stopping (again to stop at once)'));
  const { store, family, run, isLocal } = stored;
  try {
    const done = await replayTask({
      store,
      family,
      run,
      task,
      wanted: await knownWanted(stored, task.key),
      folder,
      keepInputs: keep !== undefined,
      withReport: !isLocal,
      kernel,
      signal: interruption.signal,
      onTask: (found) => terminal.note(`orchard: ${describeTask(found, stored)} by the ${kernel} kernel`),
      onProgress: ({ share, trees }) =>
        terminal.status(`${(100 * share).toFixed(0)} %${trees === 0 ? '' : `  ${count(trees)} trees`}`),
    });
    if (interruption.signal.aborted) throw interrupted('Nothing was changed.');
    show(done, { given, kernel, keep: keep ?? null }, terminal);
  } finally {
    interruption.dispose();
    if (keep === undefined) await rm(folder, { recursive: true, force: true });
    (store as { close?: () => void }).close?.();
  }
}

/**
 * The options of the run that its tasks do not state, such as the number of members: from its summaries and from the
 * task itself.
 */
async function knownWanted({ store, family, run }: StoredRun, key: string | null): Promise<readonly Wanted[]> {
  const known: Wanted[] = [];
  for await (const { name } of listAll(store, `${artefactNames.run(run.id)}summaries/`)) {
    // a damaged one may be what the user looks for
    const summary = await readDocument(store, name, modelSummarySchema).catch(() => null);
    const told = Object.entries(summary?.network ?? {}).filter(([field]) => field in family.wanted.shape);
    known.push(wantedSchema.parse(Object.fromEntries(told)));
  }
  const own = key === null ? null : memberOfTask({ key });
  return own === null ? known : [...known, { members: own.member + 1 }];
}

/** `train/17`, `train 17`, or `select` where there is one task of the kind. */
function taskOf(words: readonly string[], family: Family): { readonly kind: string; readonly key: string | null } {
  const text = words.join(' ');
  const [, kind = text, key = null] = /^([a-z]+)[/ ](.+)$/s.exec(text) ?? [];
  const kinds = family.kinds.map((one) => one.kind);
  if (kinds.includes(kind)) return { kind, key };
  throw new UsageError({
    got: JSON.stringify(text.slice(0, 80)),
    expected: `a task of a run of ${family.name}: ${kinds.join(', ')}, and which of them`,
    where: 'TASK',
    remedy: `Give it as orchard logs prints it, as ${family.kinds.find(({ counted }) => counted !== null)?.kind ?? kinds[0]!}/17.`,
  });
}

async function emptyFolder(path: string): Promise<string> {
  try {
    await makeFolder(path);
    if ((await readdir(path)).length === 0) return path;
  } catch (cause) {
    throw writeFailure(path, '--keep', cause);
  }
  throw new UsageError({
    got: `${path}, in which there is something`,
    expected: 'an empty folder, or one that is not there yet',
    where: '--keep',
    remedy: 'Name another.',
  });
}

function describeTask(task: Task, { run }: StoredRun): string {
  const dimension = dimensionOfTask(task);
  const name = dimension === null ? undefined : run.datasets.train.names?.[dimension];
  return `${taskNames.work(task)}${name === undefined ? '' : ` (${name})`} of run ${run.id}`;
}

const comparisons: Readonly<Record<ReplayedOutput['stored'], string>> = {
  same: 'the bytes that are stored',
  other: 'other bytes than are stored',
  nothing: 'nothing is stored under this name',
  damaged: 'what is stored is damaged',
};

/** @throws TaskError where the task failed, or ended otherwise than the run did */
function show(
  { task, seconds, peakBytes, error, outputs }: Replay,
  { given, kernel, keep }: { readonly given: string; readonly kernel: string; readonly keep: string | null },
  terminal: Terminal,
): void {
  const work = taskNames.work(task);
  const isFailed = error !== undefined;
  const lines = outputs.map(({ name, bytes: size, stored }) => `${name}  ${bytes(size)}  ${comparisons[stored]}`);
  if (isFailed) lines.push(stackOf(error));
  lines.push(
    `${work} ${isFailed ? 'failed' : 'done'} in ${duration(seconds)}; at most ${bytes(peakBytes)} of memory, the program's own included`,
  );
  if (keep !== null) lines.push(`inputs and outputs are in ${keep}`);
  terminal.result(lines.join('\n'));
  const details = {
    runId: task.run,
    task: work,
    kernel,
    seconds,
    peakBytes,
    stack: isFailed ? stackOf(error) : null,
    outputs,
    kept: keep,
  };
  if (isFailed) throw new TaskError(`${work} failed: ${messageOf(error)}`, details, { cause: error });
  const differing = outputs.filter(({ stored }) => stored === 'other' || stored === 'damaged');
  if (differing.length > 0 && kernel === 'wasm') {
    const what = `${work} ended in other bytes than are stored as ${differing[0]!.name}.`;
    throw new TaskError(
      `${what} orchard repair ${given} drops what is damaged; where nothing is, please report it with the data set and options.`,
      details,
    );
  }
  if (differing.length > 0) {
    terminal.note(
      'orchard: the reference grows the same trees; it adds up likelihoods in another order, so bytes may differ',
    );
  }
  terminal.document(details);
}

function stackOf(error: unknown): string {
  const stacks: string[] = [];
  for (let at: PostedError | null = bySources(posted(error)); at !== null; at = at.cause)
    stacks.push(at.stack ?? at.message);
  return stacks.join('\ncaused by ');
}
