import { ExitCode } from '../output/errors.js';

/** A command that another program may have run for it. */
export interface OfferedCommand {
  /** What it does, in a few words. */
  readonly title: string;
  /** Whether it writes what it is asked to, or changes a run of a cluster; the others only read. */
  readonly changes: boolean;
  /** Whether it asks a coordinator, rather than this machine. */
  readonly onCluster: boolean;
  /** Options that must be given: what is usual is a place in a folder that the other program did not choose. */
  readonly mustSay?: readonly string[];
}

const here = (title: string, changes = true): OfferedCommand => ({ title, changes, onCluster: false });
const onCluster = (title: string, changes: boolean): OfferedCommand => ({ title, changes, onCluster: true });

/** Those that end by themselves, read no standard input and have a document. */
export const offeredCommands: Readonly<Record<string, OfferedCommand>> = {
  describe: here('Show how a table is read', false),
  train: { ...here('Train a model'), mustSay: ['--out'] },
  outliers: here('Find unusual rows'),
  check: here('Find cells that are probably wrong', false),
  classify: here('Tell the class of rows by a model of each class'),
  evaluate: here('Score rows by a model'),
  complete: here('Fill in missing values'),
  sample: here('Sample rows'),
  judge: here('Judge sampled rows', false),
  associations: here('Show which columns depend on each other'),
  importance: here('Show what each column is predicted from'),
  'compare-models': here('Compare kinds of models'),
  compare: here('Compare two models', false),
  inspect: here('Show what a model is'),
  compact: here('Rewrite an old model file in the smaller format'),
  submit: onCluster('Train on a cluster', true),
  runs: onCluster('List the runs of a cluster', false),
  status: onCluster('Show how far a run is', false),
  cancel: onCluster('Stop a run', true),
  resume: onCluster('Continue a run', true),
  logs: onCluster('Show what went wrong in a run', false),
  fetch: onCluster('Download the model of a run', true),
};

/** Exit codes of a command that has an answer. */
export const answered: readonly number[] = [ExitCode.done, ExitCode.found];
