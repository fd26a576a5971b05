import { columnsIn } from '@orchard/dataset';
import type { DensityModel } from '@orchard/model';
import { placeOfGreatest } from '@orchard/numerics';
import { concurrently, headOf, judgedModel, type Run, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import {
  choosingColumns,
  sparnSpecification,
  type SparnSpecification,
  type TriedPenalty,
} from '@orchard/sparn-mixture';
import { Sparn, weightsOfColumns } from '@orchard/sparse-network';
import { outputsOf, weightsOf } from './path-document.js';
import { readPath } from './stored-paths.js';

export const readsAtOnce = 8;

/** What a run of one component ends in. */
export interface ChosenPenalty {
  readonly model: Sparn;
  readonly tried: readonly TriedPenalty[];
}

/**
 * Each λ, and the place of the one by which the validation rows are likeliest over all columns that choose, of equal
 * ones the largest.
 */
export async function bestPenaltyOf(
  store: ObjectStore,
  run: Run,
): Promise<{ readonly tried: readonly TriedPenalty[]; readonly best: number }> {
  const specification = sparnSpecification(run);
  const { penalty } = specification;
  const columns = choosingColumns(specification, columnsIn(run.datasets.train).count);
  const ofAll = await concurrently(columns, readsAtOnce, async (column) => {
    const path = await readPath(store, run.id, column);
    return { valid: path.valid, counts: path.valid.map((_, step) => weightsOf(path, step)) };
  });
  const tried = penalty.map((own, step) => ({
    penalty: own,
    weights: ofAll.reduce((sum, { counts }) => sum + counts[step]!, 0),
    valid: ofAll.reduce((sum, { valid }) => sum + valid[step]!, 0) / run.datasets.valid.rows,
  }));
  return { tried, best: placeOfGreatest(tried.map(({ valid }) => valid)) };
}

/** The model of that λ. */
export async function choosePenalty(store: ObjectStore, run: Run, splits: Splits): Promise<ChosenPenalty> {
  const { penalty } = sparnSpecification(run);
  const columns = Array.from({ length: splits.train.dimensions }, (_, column) => column);
  const { tried, best } = await bestPenaltyOf(store, run);
  // paths of many columns and λ are not held in memory together
  const steps = await concurrently(
    columns,
    readsAtOnce,
    async (column) => outputsOf(await readPath(store, run.id, column), best)[0]!,
  );
  const sparse = weightsOfColumns(steps);
  const head = headOf(run, splits.train, { chosen: penalty[best]! });
  return { model: judgedModel((likelihoods) => new Sparn({ ...head, likelihoods }, sparse), splits), tried };
}

/** Each λ, where one network was tried. */
export function penaltyFigures(
  single: Pick<ChosenPenalty, 'tried'> & { readonly model: Pick<DensityModel, 'specification'> },
  { choosers }: Pick<SparnSpecification, 'choosers'> = {},
): Readonly<Record<string, unknown>> {
  const { model, tried } = single;
  const { chosen } = model.specification as { readonly chosen: number };
  const isAtEnd = tried.length > 1 && [tried[0]!.penalty, tried.at(-1)!.penalty].includes(chosen);
  // weights and nats of what was tried are those of the columns that chose
  return { penalty: { chosen, isAtEnd, ...(choosers !== undefined && { columns: choosers }), tried } };
}
