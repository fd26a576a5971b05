import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { stepOf } from '../variables/cell-values.js';
import type { ColumnProfile } from './column-profile.js';
import { evenCuts } from './even-cuts.js';

export interface CellOptions {
  /** Most cells of an ordered variable. */
  readonly bins: number;
  /** Most places at which others split it. */
  readonly cutPoints: number;
}

type Cells = Pick<OrderedVariable, 'measure' | 'edges' | 'values' | 'counts' | 'tails' | 'range' | 'cuts'>;

/**
 * Rows that a bin has at least. Few, since values repeat that fill no wider one, and the first decisions, which most rows reach,
 * do not depend on how fine the last are. Test nats a row at 20, 10, 5 and 3: cars -25.44, -24.08, -22.91, -22.93;
 * seattle-weather -18.27, -18.14, -18.23, -18.28; males -19.58, -19.50 and no other, being at 256 bins.
 */
const ROWS_A_BIN = 5;
/** Where more of the rows than this have a value that no other row has, as many of the rows to come have values never seen. */
const MOST_UNSEEN = 0.01;

/**
 * The cells of an ordered variable: one a value where there are few and hardly any is new (Good and Turing: the share of
 * values seen once estimates that of values never seen), else bins that hold about equally many rows, cut half-way between
 * two values on the grid in which the column is written. A value that fills a bin has one of its own.
 */
export function cellsOf(profile: ColumnProfile, format: OrderedFormat, options: CellOptions): Cells {
  const sample = distinct(profile.sortedNumbers());
  const exact = profile.hasAllNumbers ? [...profile.byNumber].sort(([a], [b]) => a - b) : null;
  const values = exact ?? sample;
  const rows = values.reduce((sum, [, count]) => sum + count, 0);
  const range: [number, number] = [values[0]![0], values.at(-1)![0]];
  const once = values.reduce((sum, [, count]) => sum + (count === 1 ? 1 : 0), 0);
  const isMass = exact !== null && values.length <= options.bins && once <= MOST_UNSEEN * rows;
  if (isMass || values.length < 3) return withMasses(values, range, options);
  return withDensity(values, rows, range, stepOf({ format, range }), options);
}

type ValueCount = readonly [value: number, count: number];

function distinct(sorted: Float64Array): readonly ValueCount[] {
  const found: [number, number][] = [];
  for (const value of sorted) {
    const last = found.at(-1);
    if (last !== undefined && last[0] === value) last[1]++;
    else found.push([value, 1]);
  }
  return found;
}

function withMasses(values: readonly ValueCount[], range: readonly [number, number], options: CellOptions): Cells {
  const counts = values.map(([, count]) => count);
  const edges = values.slice(1).map(([value], at) => between(values[at]![0], value));
  const cuts = evenCuts(counts, options.cutPoints);
  return { measure: 'mass', edges, values: values.map(([value]) => value), counts, tails: null, range, cuts };
}

function withDensity(
  values: readonly ValueCount[],
  rows: number,
  range: readonly [number, number],
  step: number,
  options: CellOptions,
): Cells {
  const bins = Math.max(2, Math.min(options.bins, Math.floor(rows / ROWS_A_BIN)));
  const full = rows / bins;
  const cells: { from: number; value: number | null; count: number; sum: number }[] = [];
  let open: (typeof cells)[number] | null = null;
  const openAt = (from: number): (typeof cells)[number] => {
    open = { from, value: null, count: 0, sum: 0 };
    cells.push(open);
    return open;
  };
  values.forEach(([value, count], at) => {
    const before = at === 0 ? -Infinity : halfway(values[at - 1]![0], value, step);
    if (count >= full) {
      // a bin of its own, as wide as what is written alike
      const own = openAt(Math.max(before, value - step / 2));
      own.value = value;
      own.count = count;
      open = null;
      const next = values[at + 1]?.[0];
      if (next === undefined || next > value + step * 1.5) openAt(value + step / 2);
      return;
    }
    const cell = open ?? openAt(before);
    cell.count += count;
    cell.sum += value * count;
    if (cell.count >= full) open = null;
  });
  // the outermost cells have no end of their own: a lone value at the end has the rest of the line beside it
  if (cells[0]!.value !== null) cells.unshift({ from: -Infinity, value: null, count: 0, sum: 0 });
  if (cells.at(-1)!.value !== null) openAt(range[1] + step / 2);
  cells[0]!.from = -Infinity;
  const edges = cells.slice(1).map(({ from }) => from);
  const typical = Math.max(step, (range[1] - range[0]) / cells.length);
  const excess = ({ count, sum }: (typeof cells)[number], edge: number): number =>
    count === 0 ? typical : Math.max(step / 2, Math.abs(sum / count - edge));
  const counts = cells.map(({ count }) => count);
  return {
    measure: 'density',
    edges,
    values: cells.map(({ value }) => value),
    counts,
    tails: [excess(cells[0]!, edges[0]!), excess(cells.at(-1)!, edges.at(-1)!)],
    range,
    cuts: evenCuts(counts, options.cutPoints),
  };
}

/** Half-way between two values, half a step off the grid where there is room: what is rounded to the grid stays in its cell. */
function halfway(low: number, high: number, step: number): number {
  const middle = (Math.floor((low + high) / 2 / step) + 0.5) * step;
  return middle > low && middle < high ? middle : between(low, high);
}

/** Above the one and not above the other, also where no number is between them. */
function between(low: number, high: number): number {
  const middle = (low + high) / 2;
  return middle > low ? middle : high;
}
