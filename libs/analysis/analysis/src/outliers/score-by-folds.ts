import { keptTable, markedTable, type RawTable } from '@orchard/dataset';
import {
  asTabular,
  explainTableRows,
  scoreTableRows,
  type DensityModel,
  type ExplainRows,
  type GivenColumns,
  type RowScores,
} from '@orchard/model';
import { explainCompared, scoreBySmallModels, type SmallModelScores } from './score-by-small-models.js';

/** Models of a file's rows, one for each fold, and the rows that each of them did not learn from. */
export interface FoldModels {
  /** Model `fold` learned from the rows of the other folds alone. */
  readonly models: readonly DensityModel[];
  /** The fold of each row of the file, in the order of the file. */
  readonly foldOf: Uint16Array;
}

export interface FoldScores {
  readonly scores: RowScores;
  readonly explain: ExplainRows;
  /** How many models of few rows there are beside those of the folds. */
  readonly smallModels: number;
}

export interface FoldOptions {
  /** Columns that say which group a row is of; null where all are scored. */
  readonly given: GivenColumns | null;
  /** How small models are trained, which score beside those of the folds; null where there are none. */
  readonly smallModels: SmallModelScores | null;
  /** 1 for each row that no model is to learn from. */
  readonly leftOut?: Uint8Array | null;
}

/**
 * Scores each row by the model that did not learn from it.
 *
 * @param raw as the file has it: cells are shown as they stand there
 * @param count rows
 */
export async function scoreByFolds(
  raw: RawTable,
  count: number,
  { models, foldOf }: FoldModels,
  { given, smallModels, leftOut = null }: FoldOptions,
): Promise<FoldScores> {
  const modelOf = (row: number): number => foldOf[row]!;
  const scorers = { models: models.map(asTabular), modelOf, given };
  // read many times, but for the cells that are shown as the file has them
  const kept = keptTable(markedTable(raw));
  try {
    const ofFolds = await scoreTableRows(kept, scorers, count);
    const byFolds = explainTableRows(raw, scorers);
    if (smallModels === null) return { scores: ofFolds, explain: byFolds, smallModels: 0 };
    const numbers = Array.from({ length: count }, (_, row) => row);
    const learnable = leftOut === null ? numbers : numbers.filter((row) => leftOut[row] === 0);
    const { scores, decidedBy, models: bySize } = await scoreBySmallModels(kept, learnable, ofFolds, smallModels);
    return {
      scores: { ...ofFolds, scores },
      explain: explainCompared(raw, bySize, decidedBy, byFolds),
      smallModels: bySize.flat().length,
    };
  } finally {
    await kept.discard();
  }
}
