import { codeCount, readCodes, type BitMatrix } from '@orchard/dataset';
import type { Mixture } from '@orchard/members';
import { isTabular, setLearnedCounts, type DensityModel, type TabularModel } from '@orchard/model';
import { foldsOfRows } from '@orchard/pipeline';
import { orderOfSplits, splitsOf } from '../training/rows-of-file.js';
import {
  VALID_SHARE,
  type ModelToTrain,
  type OnNote,
  type RowsToLearn,
  type TrainModel,
} from '../training/train-model.js';
import type { FoldModels } from './score-by-folds.js';

export interface TrainFoldsOptions {
  readonly folds: number;
  readonly seed: number;
  /** Whether the columns have an order that the caller gives, which members of one run would each draw anew. */
  readonly isOrdered: boolean;
  /** 1 for each row that no model learns from, and that any of them may score. @default all rows are learned from */
  readonly leftOut?: Uint8Array | null;
}

/**
 * Trains a model for each fold of a file's rows. A family with members trains them in one run, which uses every thread
 * and whose member `fold` has its number of trees chosen by its own fold; any other trains a run for each fold.
 */
export async function trainFolds(
  { family, rows }: RowsToLearn,
  { folds, seed, isOrdered, leftOut = null }: TrainFoldsOptions,
  train: TrainModel,
  onNote: OnNote,
): Promise<FoldModels> {
  const numbers = Array.from({ length: rows.rows }, (_, row) => row);
  const kept = leftOut === null ? numbers : numbers.filter((row) => leftOut[row] === 0);
  const foldOfPooled = foldsOfRows(kept.length, { folds, seed });
  // a row that is left out is judged by a model as any other
  const foldOf = Uint16Array.from(numbers, (row) => row % folds);
  orderOfSplits(kept.length, VALID_SHARE, seed).forEach((row, place) => {
    foldOf[kept[row]!] = foldOfPooled[place]!;
  });
  const { shape } = family.words;
  const trainOne = async (
    name: string | null,
    words: ModelToTrain['words'],
    own: readonly number[],
  ): Promise<DensityModel> => {
    const splits = splitsOf(rows, own, seed);
    const model = await train({ family, name, title: null, words, splits });
    if (isTabular(model)) setLearnedCounts(model, codeCounts(model, splits.train));
    return model;
  };
  if ('folds' in shape && !isOrdered) {
    // a refit would learn from the rows of the fold too
    const words = { members: folds, folds, ...('refit' in shape && { refit: false }) };
    const { members } = (await trainOne(null, words, kept)) as Mixture;
    return { models: members, foldOf };
  }
  const models: DensityModel[] = [];
  for (let fold = 0; fold < folds; fold++) {
    onNote(`fold ${String(fold + 1)} of ${String(folds)}`);
    const others = kept.filter((row) => foldOf[row] !== fold);
    models.push(await trainOne(`fold-${String(fold + 1)}`, { folds: undefined }, others));
  }
  return { models, foldOf };
}

/** Of each variable the rows of each code. */
function codeCounts({ table, offsets }: TabularModel, rows: BitMatrix): readonly Uint32Array[] {
  return table.variables.map((variable, index) => {
    const counts = new Uint32Array(codeCount(variable));
    for (const code of readCodes(rows, offsets[index]!, offsets[index + 1]!)) counts[code]!++;
    return counts;
  });
}
