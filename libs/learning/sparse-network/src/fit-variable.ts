import type { Table } from '@orchard/contracts';
import { log } from '@orchard/numerics';
import { CodeLaw, measureOf, shareOfOdds, sharesOfScores } from './code-law.js';
import { fitOutputs, scoresOf, type DesignColumn, type Loss, type Outputs } from './fit-outputs.js';

/** Of a Gaussian of variance 1: a variable that follows exactly from others still lies somewhere in its cell. */
const LEAST_DEVIATION = 1e-4;

/** How the variables of a table are predicted. */
export function lawsOf({ variables }: Pick<Table, 'variables'>): readonly CodeLaw[] {
  return variables.map((variable) => new CodeLaw(variable, variable.kind === 'ordered' ? measureOf(variable) : null));
}

/** What predicts a variable, under one penalty. */
export interface FittedVariable {
  /** By output: its intercept, and the weights of the features before the variable that are not 0. */
  readonly outputs: readonly {
    readonly intercept: number;
    readonly predictors: Uint32Array;
    readonly weights: Float64Array;
  }[];
  /** Of the Gaussian; 1 where there is none. */
  readonly deviation: number;
  /** Summed log P(code) of the validation rows. */
  readonly valid: number;
}

/**
 * Fits a variable under each penalty: its classes by multi-class logistic regression, and of rows that are numbers the
 * number by linear regression, with the deviation that is left (Goessling's thesis, 5.2.3).
 *
 * @param train the codes of each variable, by row
 */
export function* fitVariable(
  laws: readonly CodeLaw[],
  index: number,
  train: readonly Uint16Array[],
  valid: readonly Uint16Array[],
  { penalty, interceptScaling }: { readonly penalty: readonly number[]; readonly interceptScaling: number },
): Generator<FittedVariable> {
  const law = laws[index]!;
  const own = train[index]!;
  const rowsOf = (wanted: (own: number) => boolean): Uint32Array =>
    Uint32Array.from(own.keys()).filter((row) => wanted(law.classOf[own[row]!]!));
  const counted = rowsOf((one) => one >= 0);
  const classes = Uint16Array.from(counted, (row) => law.classOf[own[row]!]!);
  const ofClasses = fitOutputs(
    designOf(laws, index, train, counted),
    counted.length,
    lossOfClasses(classes, law.scores, interceptScaling),
    penalty,
  );
  const measured = law.hasMean ? rowsOf((one) => one === 0) : new Uint32Array(0);
  const numbers = Float64Array.from(measured, (row) => law.measure!.numbers[own[row]!]!);
  const design = designOf(laws, index, train, measured);
  const ofMean = fitOutputs(design, measured.length, lossOfNumbers(numbers), penalty);
  const judged = designOf(laws, index, valid, Uint32Array.from(valid[index]!.keys()));
  for (let step = 0; step < penalty.length; step++) {
    const scores = law.scores === 0 ? [] : (ofClasses.next().value as Outputs);
    const means = law.hasMean ? (ofMean.next().value as Outputs) : [];
    const deviation = law.hasMean ? deviationOf(withIntercept(design, measured.length), numbers, means) : 1;
    const weights = [...scores, ...means];
    yield {
      outputs: weights.map(sparse),
      deviation,
      valid: natsOf(
        law,
        valid[index]!,
        scoresOf(withIntercept(judged, valid[index]!.length), valid[index]!.length, weights),
        deviation,
      ),
    };
  }
}

function withIntercept(columns: readonly DesignColumn[], rows: number): readonly DesignColumn[] {
  return [{ codes: new Uint16Array(rows), values: Float64Array.of(1) }, ...columns];
}

function designOf(
  laws: readonly CodeLaw[],
  index: number,
  columns: readonly Uint16Array[],
  rows: Uint32Array,
): readonly DesignColumn[] {
  return laws.slice(0, index).flatMap((law, at) => {
    const codes = Uint16Array.from(rows, (row) => columns[at]![row]!);
    return law.features().map(({ values }) => ({ codes, values }));
  });
}

function lossOfClasses(classes: Uint16Array, outputs: number, interceptScaling: number): Loss {
  return {
    outputs,
    interceptScaling,
    // p (1 - p), and of several scores the bound of Boehning
    curvature: outputs === 1 ? 0.25 : 0.5,
    slopes: (scores) => {
      for (let row = 0, at = 0; row < classes.length; row++, at += outputs) {
        if (outputs === 1) scores[at] = shareOfOdds(scores[at]!) - classes[row]!;
        else {
          sharesOfScores(scores, at, at + outputs);
          scores[at + classes[row]!]! -= 1;
        }
      }
    },
  };
}

function lossOfNumbers(numbers: Float64Array): Loss {
  return {
    outputs: 1,
    interceptScaling: Infinity,
    curvature: 1,
    slopes: (scores) => {
      numbers.forEach((number, row) => {
        scores[row]! -= number;
      });
    },
  };
}

function deviationOf(design: readonly DesignColumn[], numbers: Float64Array, means: Outputs): number {
  const predicted = scoresOf(design, numbers.length, means);
  const squares = numbers.reduce((sum, number, row) => sum + (number - predicted[row]!) ** 2, 0);
  return Math.max(LEAST_DEVIATION, Math.sqrt(squares / numbers.length));
}

function sparse(own: Float64Array): FittedVariable['outputs'][number] {
  const predictors = Uint32Array.from(own.keys()).filter((at) => at > 0 && own[at] !== 0);
  return {
    intercept: own[0]!,
    predictors: predictors.map((at) => at - 1),
    weights: Float64Array.from(predictors, (at) => own[at]!),
  };
}

function natsOf(law: CodeLaw, codes: Uint16Array, scores: Float64Array, deviation: number): number {
  let sum = 0;
  codes.forEach((code, row) => {
    const own = scores.subarray(row * law.outputs, (row + 1) * law.outputs);
    sum += log(law.probability(own, deviation, code));
  });
  return sum;
}
