import type { BoostingOptions } from '@orchard/logitboost';
import type { BitMatrix } from '@orchard/dataset';
import { threadsThatFit, TrainingData, trainingBytes, type SplitSizes, type ThreadsThatFit } from '@orchard/kernel';
import { contentId } from '@orchard/contracts';
import { loadSplits, refold, type DataRequest, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { LbarnRun } from '../run/lbarn-run.js';

/**
 * The run's splits, columns in its ordering, in one shared memory with a workspace for each of `threads` threads. A
 * refit needs no other: it pools the same rows.
 *
 * @throws KernelError where it takes more memory than there can be
 */
export async function arrangeTrainingData(store: ObjectStore, run: LbarnRun, threads: number): Promise<TrainingData> {
  const { leaves, ordering } = run.specification;
  const { train, valid, test } = await splitsOf(store, run);
  const { rowsPerTree } = run.specification;
  const ordered = (matrix: BitMatrix): BitMatrix => (ordering === 'natural' ? matrix : matrix.selectColumns(ordering));
  const splits = { train: ordered(train), valid: ordered(valid), test: test && ordered(test) };
  return TrainingData.arrange(splits, { threads, leaves, rowsPerTree });
}

/** The rows of a run by split, dealt anew where a fold of them validates; columns as stored. */
export async function splitsOf(store: ObjectStore, run: LbarnRun): Promise<Splits> {
  const splits = await loadSplits(store, run);
  return run.fold === null ? splits : { ...refold(splits.train, splits.valid, run.fold), test: splits.test };
}

/** The specification's options as boosting has them. */
export function boostingOptions({ specification, ordering, positions }: LbarnRun): BoostingOptions {
  const { leaves, rounds, shrinkage, start, minLeafWeight, maxLeafValue, l2, featureFraction, patience, seed } =
    specification;
  const { gradients, dropout, exclusive, startPenalty, pseudoCount, criterion, maxPredictors, nearPredictors } =
    specification;
  const { rowsPerTree } = specification;
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
    gradients,
    dropout,
    exclusive: exclusive && ordering,
    startPenalty,
    pseudoCount,
    criterion,
    maxPredictors,
    rowsPerTree,
    near: nearPredictors === undefined ? undefined : { count: nearPredictors, ordering, positions },
  };
}

/** The training data of a run, for threads: runs on the same rows in the same ordering share it. */
export function trainingDataOf(run: LbarnRun): DataRequest {
  const { train, valid, test, ordering, leaves } = run.specification;
  const { fold } = run;
  const { maxPredictors, rowsPerTree } = run.specification;
  return {
    key: contentId({
      train,
      valid,
      test,
      ordering,
      leaves,
      ...(rowsPerTree !== undefined && { rowsPerTree }),
      ...(fold !== null && { fold: { ...fold } }),
    }),
    fit: (threads, bytes) => {
      const one = trainingBytes(run.datasets, { leaves, rowsPerTree, threads: 1 });
      // where there is less room than one thread takes, the caller says so with what it takes
      const room = Math.max(bytes, one);
      const fit = threadsThatFit(run.datasets, { leaves, rowsPerTree, threads, bytes: room });
      if (maxPredictors === undefined) return fit;
      const own = narrowedBytes(run.datasets, { leaves, rowsPerTree, columns: maxPredictors + 1 });
      const withOwn = (fewer: number): ThreadsThatFit => {
        const shared = threadsThatFit(run.datasets, { leaves, rowsPerTree, threads: fewer, bytes: room });
        const total = { ...shared, bytes: shared.bytes + fewer * own, bytesPerThread: shared.bytesPerThread + own };
        return total.bytes <= room || fewer === 1 ? total : withOwn(fewer - 1);
      };
      return withOwn(fit.threads);
    },
    arrange: (threads) => ({ name: 'arrange', input: { run, threads } }),
  };
}

/** What each thread takes beside, for the columns of its conditional alone. */
function narrowedBytes(
  { train, valid, test }: SplitSizes,
  { columns, ...of }: { readonly leaves: number; readonly rowsPerTree: number | undefined; readonly columns: number },
): number {
  const narrow = (size: SplitSizes['train']): SplitSizes['train'] => ({ rows: size.rows, dimensions: columns });
  return trainingBytes(
    { train: narrow(train), valid: valid && narrow(valid), test: test && narrow(test) },
    { ...of, threads: 1 },
  );
}
