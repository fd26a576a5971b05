import { concurrently, headOf, judgedModel, type Run, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { sparnSpecification } from '@orchard/sparn-mixture';
import { Sparn, weightsOfColumns } from '@orchard/sparse-network';
import { stepOf } from './path-document.js';
import { readPath } from './stored-paths.js';
import type { TriedPenalty } from './weights-section.js';

const readsAtOnce = 8;

/** What a run of one component ends in. */
export interface ChosenPenalty {
  readonly model: Sparn;
  readonly tried: readonly TriedPenalty[];
}

/**
 * Each λ, and the place of the one by which the validation rows are likeliest over all columns, of equal ones the
 * largest.
 */
export async function bestPenaltyOf(
  store: ObjectStore,
  run: Run,
): Promise<{ readonly tried: readonly TriedPenalty[]; readonly best: number }> {
  const { penalty } = sparnSpecification(run);
  const columns = Array.from({ length: run.datasets.train.dimensions }, (_, column) => column);
  const ofAll = await concurrently(columns, readsAtOnce, async (column) => {
    const { valid, counts } = await readPath(store, run.id, column);
    return { valid, counts };
  });
  const tried = penalty.map((own, step) => ({
    penalty: own,
    weights: ofAll.reduce((sum, { counts }) => sum + counts[step]!, 0),
    valid: ofAll.reduce((sum, { valid }) => sum + valid[step]!, 0) / run.datasets.valid.rows,
  }));
  return { tried, best: tried.reduce((most, { valid }, step) => (valid > tried[most]!.valid ? step : most), 0) };
}

/** The model of that λ. */
export async function choosePenalty(store: ObjectStore, run: Run, splits: Splits): Promise<ChosenPenalty> {
  const { penalty } = sparnSpecification(run);
  const columns = Array.from({ length: splits.train.dimensions }, (_, column) => column);
  const { tried, best } = await bestPenaltyOf(store, run);
  // paths of many columns and λ are not held in memory together
  const steps = await concurrently(columns, readsAtOnce, async (column) =>
    stepOf(await readPath(store, run.id, column), best),
  );
  const sparse = weightsOfColumns(steps);
  const head = headOf(run, splits.train, { chosen: penalty[best]! });
  return { model: judgedModel((likelihoods) => new Sparn({ ...head, likelihoods }, sparse), splits), tried };
}
