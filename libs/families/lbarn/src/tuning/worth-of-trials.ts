import { concurrently } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { AskedRun } from '../run/lbarn-run.js';
import { readTrial } from './screen.js';
import type { Candidate } from './trials.js';

/** Reads under way at once. */
export const readsAtOnce = 32;

/** Mean nats per validation row of these dimensions together, and their trees. */
export async function worthOf(
  store: ObjectStore,
  run: AskedRun,
  candidate: Candidate,
  dimensions: readonly number[],
): Promise<{ validLogLikelihood: number; trees: number; rise?: number }> {
  const trials = await concurrently(dimensions, readsAtOnce, (dimension) =>
    readTrial(store, run, { candidate, dimension }),
  );
  const { rows } = run.datasets.valid;
  const added = trials.flatMap((trial) => trial.added ?? []);
  const late = added.reduce((sum, one) => sum + one.late, 0);
  const all = added.reduce((sum, one) => sum + one.all, 0);
  return {
    validLogLikelihood: trials.reduce((sum, { validLogLikelihood }) => sum + validLogLikelihood, 0) / rows,
    trees: trials.reduce((sum, { trees }) => sum + trees, 0),
    ...(added.length > 0 && { rise: late / all }),
  };
}
