import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import type { Decision } from './target.js';
import type { TrainingData } from './training-data.js';

/** A variable of a table: what others split on, from `start` on, and behind all of those the bits of its value. */
interface Variable {
  readonly start: number;
  readonly width: number;
  readonly kind: 'thermometer' | 'one-hot' | 'bit';
  /** One row in four lacks a value: all of its predictors are 0. */
  readonly holes: boolean;
}

export interface RandomTable {
  readonly matrix: BitMatrix;
  /** Columns before the bits of the values. */
  readonly predictors: number;
  /** Of each variable. */
  readonly widths: readonly number[];
}

/** Bits of a value, which come last. */
const VALUE_BITS = 3;

/**
 * Rows of variables that depend on each other: thermometers of up to 64 cuts, one-hot labels, single bits, with holes,
 * with constant ones and repeated ones among them.
 */
export function randomTable(seed: number, rows: number, variables: number, distinct = rows): RandomTable {
  const stream = new RandomStream(seed, 97);
  const columns: Variable[] = [];
  let predictors = 0;
  for (let index = 0; index < variables; index++) {
    const kind = (['thermometer', 'thermometer', 'one-hot', 'bit'] as const)[stream.below(4)]!;
    const most = kind === 'bit' ? 1 : stream.below(3) === 0 ? 64 : 12;
    const width = 1 + stream.below(most);
    columns.push({ start: predictors, width, kind, holes: stream.below(3) === 0 });
    predictors += width;
  }
  const matrix = BitMatrix.create(rows, predictors + VALUE_BITS * variables);
  const written: number[][] = [];
  for (let row = 0; row < rows; row++) {
    if (row >= distinct) {
      for (const bit of written[stream.below(distinct)]!) matrix.set(row, bit, 1);
      continue;
    }
    const ones: number[] = [];
    let share = stream.uniform();
    columns.forEach(({ start, width, kind, holes }, index) => {
      // every fifth variable is constant, every seventh repeats the one before it
      if (index % 7 !== 6) share = stream.below(3) === 0 ? stream.uniform() : share;
      const value = index % 5 === 4 ? width >> 1 : Math.floor(share * (width + 1));
      if (holes && stream.below(4) === 0) return;
      for (let bit = 0; bit < width; bit++)
        if (kind === 'thermometer' ? value > bit : value === bit) ones.push(start + bit);
      for (let bit = 0; bit < VALUE_BITS; bit++)
        if ((value >> bit) & 1) ones.push(predictors + index * VALUE_BITS + bit);
    });
    for (const bit of ones) matrix.set(row, bit, 1);
    written.push(ones);
  }
  return { matrix, predictors, widths: columns.map(({ width }) => width) };
}

/** How a decision's rows are drawn. */
export type Reach = 'all' | 'few' | 'none' | 'one' | 'held-out' | 'constant' | 'by-value';

export const REACHES = ['all', 'few', 'none', 'one', 'held-out', 'constant', 'by-value'] as const satisfies Reach[];

/** A decision on the first `predictors` columns that depends on them, reached by such rows. */
export function randomDecision(data: TrainingData, seed: number, predictors: number, reach: Reach): Decision {
  const stream = new RandomStream(seed, 96);
  const decider = predictors === 0 ? -1 : stream.below(predictors);
  const only = stream.below(data.rowCount);
  const labels = Uint8Array.from({ length: data.rowCount }, (_, row) => {
    const value = data.bit(row, data.dimensions - 1);
    const draw = stream.uniform();
    const reaches = {
      all: true,
      few: draw < 0.1,
      none: false,
      one: row === only,
      'held-out': data.splitOf(row) !== 0,
      constant: draw < 0.7,
      'by-value': value === 1,
    }[reach];
    const informed = decider >= 0 && stream.below(4) > 0;
    const label = informed ? data.bit(row, decider) : stream.below(2);
    return !reaches ? 2 : reach === 'constant' ? 1 : label;
  });
  return { predictors, labels };
}
