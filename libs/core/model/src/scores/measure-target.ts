import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, logDensityIn, ValueDistribution } from '@orchard/dataset';
import { exp, log, placeOfGreatest, sumOf } from '@orchard/numerics';
import { jointGivenKnown } from '../anomalies/given-the-rest.js';
import type { CodedRows } from '../anomalies/whole-rows.js';
import type { TabularModel } from '../tables/tabular-model.js';

/** The intervals whose coverage is measured. */
export const SHARES = [0.5, 0.9];

/** Rows that are measured together, and between two looks at what else there is to do. */
const ROWS_AT_A_TIME = 256;

/** Rows with a value of the column that is predicted. */
export interface TargetRows extends CodedRows {
  /** The number that each cell of the column is; NaN of labels. */
  readonly values: Float64Array;
}

/** What is measured. */
export interface TargetAsked {
  /** Of the column. */
  readonly index: number;
  /** Of what is sampled to sum unknown values out. */
  readonly seed: number;
}

/** How well rows were predicted. */
export interface MeasuredRows {
  readonly scores: readonly RowScore[];
  /** Rows with unknown values in other columns. */
  readonly incomplete: number;
}

/** Measures the rows of parts of a file, in their order. */
export type MeasureTarget = (parts: AsyncIterable<TargetRows>, asked: TargetAsked) => AsyncIterable<MeasuredRows>;

/** By this thread alone. */
export function measureTargetHere(model: TabularModel): MeasureTarget {
  return async function* (parts, asked) {
    for await (const part of parts)
      for (const piece of piecesOfTarget(part)) {
        yield measureTarget(model, piece, asked);
        // so that an interruption is heard
        await new Promise(setImmediate);
      }
  };
}

/** The pieces in which rows are measured, in any thread: what is sampled of unknown values depends on them. */
export function* piecesOfTarget({ matrix, known, values }: TargetRows): Generator<TargetRows, void> {
  for (let from = 0; from < matrix.rows; from += ROWS_AT_A_TIME) {
    const to = Math.min(matrix.rows, from + ROWS_AT_A_TIME);
    yield {
      matrix: matrix.sliceRows(from, to),
      known: known?.sliceRows(from, to) ?? null,
      values: values.slice(from, to),
    };
  }
}

/** Measures one piece. */
export function measureTarget(model: TabularModel, rows: TargetRows, { index, seed }: TargetAsked): MeasuredRows {
  const variable = model.table.variables[index]!;
  const codes = codeCount(variable);
  const { nats, incomplete } = jointGivenKnown(model, index, rows, seed);
  const scores = Array.from(rows.values, (value, row) => {
    const shares = sharesOf(variable, nats.subarray(row * codes, (row + 1) * codes));
    return scoreOf(variable, shares, model.codeOf(rows.matrix, row, index), value);
  });
  return { scores, incomplete };
}

/** How well the value of one row was predicted. */
export interface NumberScore {
  readonly nats: number;
  readonly crps: number;
  readonly isWithin: readonly boolean[];
  readonly widths: readonly number[];
}

export interface LabelScore {
  readonly nats: number;
  readonly brier: number;
  readonly isLikeliest: boolean;
}

export type RowScore = NumberScore | LabelScore;

/** @param shares of all codes @param value the number that the cell is */
function scoreOf(variable: Variable, shares: Float64Array, code: number, value: number): RowScore {
  const nats = log(shares[code]!) + logDensityIn(variable, code, value);
  if (variable.kind !== 'ordered') {
    const brier = shares.reduce((sum, share, at) => sum + (share - Number(at === code)) ** 2, 0);
    return { nats, brier, isLikeliest: placeOfGreatest(shares) === code };
  }
  const distribution = new ValueDistribution(variable, shares);
  const ends = SHARES.map((share) => [(1 - share) / 2, (1 + share) / 2].map((part) => distribution.quantile(part)));
  return {
    nats,
    crps: distribution.rankedScore(value),
    isWithin: ends.map(([low, high]) => low! <= value && value <= high!),
    widths: ends.map(([low, high]) => high! - low!),
  };
}

/** P(code | the rest, and that there is a value). @param joint log P(code, rest); all alike where none is possible */
function sharesOf(variable: Variable, joint: Float64Array): Float64Array {
  const hole = holeCode(variable);
  const greatest = joint.reduce((most, nats, code) => (code === hole ? most : Math.max(most, nats)), -Infinity);
  const shares = joint.map((nats, code) => {
    if (code === hole) return 0;
    return greatest === -Infinity ? 1 : exp(nats - greatest);
  });
  const sum = sumOf(shares);
  return shares.map((share) => share / sum);
}
