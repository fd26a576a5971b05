import type { BoostingOptions } from '@orchard/boosting';
import type { BitMatrix } from '@orchard/dataset';
import { TrainingData } from '@orchard/kernel';
import type { ObjectStore } from '@orchard/storage';
import { loadDataset } from './datasets.js';
import type { Run } from './run.js';

/**
 * The run's splits, columns in its ordering, in one shared memory with a workspace for each of `threads` threads. A refit
 * needs no other: it pools the same rows.
 *
 * @throws KernelError where it takes more memory than there can be
 */
export async function arrangeTrainingData(store: ObjectStore, run: Run, threads: number): Promise<TrainingData> {
  const { train, valid, test, leaves, ordering } = run.specification;
  const arranged = async (id: string): Promise<BitMatrix> => {
    const matrix = await loadDataset(store, id);
    return ordering === 'natural' ? matrix : matrix.selectColumns(ordering);
  };
  const splits = {
    train: await arranged(train),
    valid: await arranged(valid),
    test: test === null ? null : await arranged(test),
  };
  return TrainingData.arrange(splits, { threads, leaves });
}

/** The specification's options as boosting has them. */
export function boostingOptions({ specification }: Run): BoostingOptions {
  const { leaves, rounds, shrinkage, start, minLeafWeight, maxLeafValue, l2, featureFraction, patience, seed } =
    specification;
  return {
    leaves,
    rounds,
    shrinkage,
    start,
    minLeafWeight,
    maxLeafValue: maxLeafValue ?? Infinity,
    l2,
    featureFraction,
    patience,
    seed,
  };
}
