import type { BitMatrix } from '@orchard/dataset';
import { TrainingData, type Kernel } from '@orchard/kernel';
import { trainConditional, type BoostingOptions } from '@orchard/logitboost';
import { Evaluator, type Ensemble } from '@orchard/model';
import { meanOf, Purpose, RandomStream } from '@orchard/numerics';
import { areaUnderCurve } from './area-under-curve.js';
import { selectRows, type Rows } from './rows.js';
import { splitBits } from './split-bits.js';

/** As SDMetrics deals them. */
const FOLDS = 3;

/**
 * The rounds, step, penalty and least leaf of XGBoost's defaults; its trees have depth 6, ours as many leaves as such
 * trees mostly need.
 */
const boosting: Omit<BoostingOptions, 'seed'> = {
  leaves: 32,
  rounds: 100,
  shrinkage: 0.3,
  start: 'base-rate',
  l2: 1,
  minLeafWeight: 1,
  maxLeafValue: Infinity,
  featureFraction: 1,
  patience: 0,
};

export interface ToldApart {
  /**
   * Mean over the folds of the area under the ROC curve: .5 where the classifier cannot separate the two sets, 1 where
   * it always can.
   */
  readonly auc: number;
  /** SDMetrics' detection score, the mean of 2 - 2 max(AUC, .5): 1 is best. */
  readonly score: number;
}

export interface TellApartOptions {
  readonly seed: number;
  /** Called with how much is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * A classifier two-sample test: gradient boosting learns to separate two sets of rows on two thirds of them and is
 * asked about the rest, three times. Synchronous; the same rows and seed give the same bits.
 */
export function tellApart(kernel: Kernel, left: Rows, right: Rows, { seed, onProgress }: TellApartOptions): ToldApart {
  const split = splitBits([left, right]);
  const sides = [left, right] as const;
  const folds = sides.map((side, at) => foldsOf(side.count, new RandomStream(seed, Purpose.classifierFold, at)));
  const areas: number[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const rowsOf = (side: 0 | 1, isTested: boolean): Rows =>
      selectRows(
        sides[side],
        Uint32Array.from(folds[side]!.keys()).filter((row) => (folds[side]![row] === fold) === isTested),
      );
    const train = split.fieldsOf(rowsOf(0, false), rowsOf(1, false));
    const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: boosting.leaves });
    // the bit behind those of the columns says which side a row is of
    const target = train.dimensions - 1;
    const { ensemble } = trainConditional(
      kernel,
      data,
      target,
      { ...boosting, seed },
      {
        onProgress: (rounds) => onProgress?.((fold + rounds / boosting.rounds) / FOLDS),
      },
    );
    const [of, against] = ([1, 0] as const).map((side) => oddsOf(ensemble, split.bitsOf(rowsOf(side, true))));
    areas.push(areaUnderCurve(of!, against!));
  }
  return { auc: meanOf(areas), score: meanOf(areas.map((auc) => 2 - 2 * Math.max(auc, 0.5))) };
}

/** A fold for each row, at random, all of nearly the same size. */
function foldsOf(rows: number, stream: RandomStream): Uint8Array {
  const folds = Uint8Array.from({ length: rows }, (_, row) => row % FOLDS);
  for (let row = rows - 1; row > 0; row--) {
    const other = stream.below(row + 1);
    const fold = folds[row]!;
    folds[row] = folds[other]!;
    folds[other] = fold;
  }
  return folds;
}

function oddsOf(ensemble: Ensemble, rows: BitMatrix): Float64Array {
  const every = (length: number): Uint32Array => Uint32Array.from({ length }, (_, at) => at);
  const evaluator = new Evaluator();
  const columns = evaluator.transposed(rows, every(rows.dimensions), 0, rows.rows, every(rows.rows));
  const odds = new Float64Array(rows.rows);
  evaluator.odds(ensemble, columns, rows.rows, odds);
  return odds;
}
