import type { Variable } from '@orchard/contracts';
import {
  codeCount,
  expectationOf,
  holeCode,
  isExpected,
  isTail,
  logShareOfLabel,
  otherCode,
  type BitMatrix,
  type Expectation,
} from '@orchard/dataset';
import { exp, log } from '@orchard/numerics';
import type { DensityModel } from '../port/density-model.js';
import type { TabularModel } from '../tables/tabular-model.js';
import { natsOfValue } from './cell-surprises.js';
import { givenTheRest } from './given-the-rest.js';
import { isUnlearned, learnedCounts, surpriseOfOne } from './learned-counts.js';
import { surpriseOfNew, type ScoredRows } from './row-surprises.js';
import type { GivenColumns } from './scores-given.js';
import { fillsOf, incompleteRows, isKnown, type CodedRows } from './whole-rows.js';

/** Nats beyond what is usual, from which on a cell beside the most surprising one is a reason. */
const LEAST_REASON = 1;

/** What is asked of the cells of a row. */
export interface ReasonsAsked {
  /** The most cells. */
  readonly top: number;
  /** Whether a missing value is a value of its own; where it is `unknown`, it is not a reason. */
  readonly missing: 'value' | 'unknown';
  /** Columns that say which group a row is of, and are no reason. */
  readonly given?: GivenColumns | null;
}

/** A cell that makes a row unusual, and what is expected given all other cells. */
export interface UnusualCellOfRow extends Expectation {
  /** The column, by its place among the model's. */
  readonly index: number;
  /** P(value | all other cells of the row); of a value far out, of one as far out or farther. */
  readonly probability: number;
  /** Nats beyond what is usual of the column given all other cells. */
  readonly surprise: number;
}

/**
 * The cells of one row of a table that surprise most given all others, the most surprising first. How surprising a cell
 * may be differs by column, so that each is compared with the entropy of its own distribution, which is the mean of
 * that surprise. Costs a likelihood for each code of each column.
 */
export function unusualCells(
  model: TabularModel,
  rows: ScoredRows,
  row: number,
  { top, missing, given = null }: ReasonsAsked,
): UnusualCellOfRow[] {
  if (top === 0) return [];
  if (model.ofBits !== undefined && given === null && incompleteRows(model, single(rows, row)).length === 0)
    return unusualBits(model.ofBits, rows.matrix, row, top);
  const cells = otherThanExpected(model, rows, row, judgedCells(model, rows, row, missing));
  return reasonsAmong(
    cells.filter(({ index }) => given?.has(index) !== true),
    top,
  );
}

/** A known cell of a row: how unusual it is, and how likely each code is in its place. */
export interface JudgedCell extends Pick<UnusualCellOfRow, 'index' | 'probability' | 'surprise'> {
  readonly code: number;
  /** P(code | all other cells); of a value of a kind that training never had without missing values. */
  readonly shares: Float64Array;
}

/** All known cells of a row of a table, given all others, in the order of columns; none of a row without a value. */
export function judgedCells(
  model: TabularModel,
  rows: ScoredRows,
  row: number,
  missing: 'value' | 'unknown',
): JudgedCell[] {
  if (!hasValue(model, rows, row)) return [];
  const isWhole = incompleteRows(model, single(rows, row)).length === 0;
  const matrix = isWhole ? rows.matrix.selectRows([row]) : fillsOf(model, rows, row);
  const sharesOf = givenTheRest(model, matrix);
  return model.table.variables.flatMap((variable, index): JudgedCell[] => {
    const wasKnown = isKnown(model, rows, row, index);
    if (!wasKnown && missing === 'unknown') return [];
    const shares = meanOfRows(sharesOf(index), codeCount(variable));
    const isNew = !wasKnown || rows.misfits.has(row * model.variables + index);
    if (isNew) {
      const nats = surpriseOfNew(variable);
      return [{ index, probability: exp(-nats), surprise: nats, code: NEW, shares: withoutMissing(variable, shares) }];
    }
    const code = model.codeOf(matrix, 0, index);
    const farOut = natsOfValue(variable, code, rows.logDensity[row * model.variables + index]!);
    const judged = judgedCell(variable, shares, code, { farOut, counts: learnedCounts(model)?.[index] });
    return [{ index, ...judged, code, shares }];
  });
}

/** Instead of the code of a value of a kind that training never had, which nothing expects. */
const NEW = -1;

/** What else is expected instead of judged cells; those that are what is expected are left out. */
export function otherThanExpected(
  model: TabularModel,
  rows: ScoredRows,
  row: number,
  cells: readonly JudgedCell[],
): UnusualCellOfRow[] {
  return cells.flatMap(({ index, code, shares, probability, surprise }) => {
    const variable = model.table.variables[index]!;
    const expectation = expectationOf(variable, shares);
    const value = rows.numberAt?.(row, index) ?? NaN;
    if (code !== NEW && isExpected(variable, expectation, code, value)) return [];
    return [{ index, probability, ...expectation, surprise }];
  });
}

/** Whether any cell of a row holds a value: of one that holds none, nothing is known to be unusual. */
export function hasValue(model: TabularModel, rows: ScoredRows, row: number): boolean {
  return model.table.variables.some(
    (variable, index) =>
      rows.misfits.has(row * model.variables + index) ||
      (isKnown(model, rows, row, index) && model.codeOf(rows.matrix, row, index) !== holeCode(variable)),
  );
}

/** What is known of a cell beside its code. */
export interface JudgedValue {
  /** What its value adds to the surprise of the code: {@link natsOfValue}. */
  readonly farOut: number;
  /** Of the rows that the model has learned from, of each code; undefined where they are not known. */
  readonly counts?: ArrayLike<number> | undefined;
}

/**
 * How likely a cell of that code is, or one as far out or farther, and how many nats it surprises beyond the mean of
 * its distribution. Labels that are pooled as "(other)" share its probability alike.
 *
 * @param shares P(code), of all codes
 */
export function judgedCell(
  variable: Variable,
  shares: Float64Array,
  code: number,
  { farOut, counts }: JudgedValue,
): Pick<UnusualCellOfRow, 'probability' | 'surprise'> {
  const probability = Math.min(1, shares[code]!) * exp(logShareOfLabel(variable, code) - farOut);
  const other = otherCode(variable);
  const entropyOfOthers = other === null ? 0 : -shares[other]! * logShareOfLabel(variable, other);
  const nats = -log(Math.max(probability, Number.MIN_VALUE));
  const most = isUnlearned(variable, counts, code) ? surpriseOfOne(variable) : Infinity;
  // the chance of a value as far out as one of a tail surprises by one nat on the mean
  const ofTails = shares.reduce((sum, share, at) => (isTail(variable, at) ? sum + share : sum), 0);
  return { probability, surprise: Math.min(nats, most) - entropy(shares) - entropyOfOthers - ofTails };
}

/** Of a whole row of 0 and 1: each value is compared with the row that has the other one there. */
function unusualBits(model: DensityModel, rows: BitMatrix, row: number, top: number): UnusualCellOfRow[] {
  const { dimensions } = model;
  const flipped = rows.selectRows(Array.from({ length: dimensions + 1 }, () => row));
  for (let dim = 0; dim < dimensions; dim++) flipped.set(dim + 1, dim, rows.get(row, dim) === 0);
  const nats = model.logLikelihood(flipped);
  const cells = Array.from({ length: dimensions }, (_, index): UnusualCellOfRow => {
    const value = rows.get(row, index);
    const probability = 1 / (1 + exp(nats[index + 1]! - nats[0]!));
    return {
      index,
      probability,
      ...expectedBit(value, probability),
      surprise: -log(Math.max(probability, Number.MIN_VALUE)) - entropy(Float64Array.of(probability, 1 - probability)),
    };
  });
  return reasonsAmong(
    cells.filter(({ expectedLabel, index }) => expectedLabel !== String(rows.get(row, index))),
    top,
  );
}

function expectedBit(value: number, probability: number): Expectation {
  const label = String(probability < 0.5 ? 1 - value : value);
  const share = (100 * Math.max(probability, 1 - probability)).toFixed(0);
  return { expected: `${label} (${share} %)`, expectedLow: null, expectedHigh: null, expectedLabel: label };
}

/** Rows whose likelihoods are computed to explain one row. */
export function likelihoodsToExplain({ table, ofBits, variables }: TabularModel): number {
  return ofBits === undefined ? table.variables.reduce((sum, own) => sum + codeCount(own), 0) : variables + 1;
}

/** A cell by its place and how unusual it is. */
type Placed = Pick<UnusualCellOfRow, 'index' | 'surprise'>;

export function mostSurprising<Cell extends Placed>(cells: readonly Cell[], top: number): Cell[] {
  return cells.toSorted((a, b) => b.surprise - a.surprise || a.index - b.index).slice(0, top);
}

/**
 * The cells that say why a row is unusual, the most surprising first: those that are e times as unlikely as is usual,
 * or else the one that is most.
 */
export function reasonsAmong<Cell extends Placed>(cells: readonly Cell[], top: number): Cell[] {
  return mostSurprising(cells, top).filter(({ surprise }, at) => surprise > (at === 0 ? 0 : LEAST_REASON));
}

function single({ matrix, known }: CodedRows, row: number): CodedRows {
  return { matrix: matrix.selectRows([row]), known: known?.selectRows([row]) ?? null };
}

/** The mean over rows. @param shares of several rows, `codes` each */
export function meanOfRows(shares: Float64Array, codes: number): Float64Array {
  const rows = shares.length / codes;
  const means = new Float64Array(codes);
  shares.forEach((share, at) => {
    means[at % codes]! += share / rows;
  });
  return means;
}

/** What stands where a value of a new kind does: a value, also where values are mostly missing. */
function withoutMissing(variable: Variable, shares: Float64Array): Float64Array {
  const hole = holeCode(variable);
  return shares.map((share, code) => (code === hole ? 0 : share));
}

function entropy(shares: Float64Array): number {
  return shares.reduce((sum, share) => (share > 0 ? sum - share * log(share) : sum), 0);
}
