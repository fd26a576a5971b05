import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { stepOf } from '../variables/cell-values.js';
import { valueGridOf } from '../variables/value-grid.js';
import type { ColumnProfile } from './column-profile.js';
import { between, cutIntoPieces, halfway, type FilledCell } from './cut-into-pieces.js';
import { evenCuts } from './even-cuts.js';
import { findAtoms } from './find-atoms.js';
import type { ValueCount } from './value-count.js';

export interface CellOptions {
  /** Most cells of an ordered variable. */
  readonly bins: number;
  /** Most places at which others split it. */
  readonly cutPoints: number;
}

type Cells = Pick<
  OrderedVariable,
  | 'measure'
  | 'edges'
  | 'values'
  | 'counts'
  | 'tails'
  | 'range'
  | 'cuts'
  | 'atoms'
  | 'pieces'
  | 'bounds'
  | 'grid'
  | 'beyond'
>;

/**
 * Rows that a bin has at least. Few, since values repeat that fill no wider one, and the first decisions, which most
 * rows reach, do not depend on how fine the last are. Test nats per row at 20, 10, 5 and 3: cars -25.44, -24.08,
 * -22.91, -22.93; seattle-weather -18.27, -18.14, -18.23, -18.28; males -19.58, -19.50 and no other, being at 256 bins.
 */
const ROWS_A_BIN = 5;
/**
 * Where more of the rows than this have a value that no other row has, as many of the rows to come have values never
 * seen.
 */
const MOST_UNSEEN = 0.01;

/**
 * The cells of an ordered variable: one a value where there are few and hardly any is new (Good and Turing: the share
 * of values seen once estimates that of values never seen), else bins that hold about equally many rows, cut half-way
 * between two values on the grid in which the column is written. A value that fills a bin has one of its own, and one
 * that is heavier than its neighbourhood is an atom, whose rows are in no bin.
 */
export function cellsOf(profile: ColumnProfile, format: OrderedFormat, options: CellOptions): Cells {
  const exact = profile.ofNumbers.areAllCounted ? [...profile.ofNumbers.byNumber].sort(([a], [b]) => a - b) : null;
  const values = exact ?? distinct(profile.ofNumbers.sorted());
  const rows = rowsOf(values);
  const range: [number, number] = [values[0]![0], values.at(-1)![0]];
  const once = values.reduce((sum, [, count]) => sum + (count === 1 ? 1 : 0), 0);
  const isMass = exact !== null && values.length <= options.bins && once <= MOST_UNSEEN * rows;
  if (isMass || values.length < LEAST_MEASURED) return withMasses(values, range, options);
  const atoms = findAtoms(values, rows).map((at) => values[at]!);
  const masses = new Set(atoms);
  const measured = values.filter((each) => !masses.has(each));
  // measurements beside them are needed for a density, of which there is always one
  const isSplit = atoms.length > 0 && measured.length >= LEAST_MEASURED;
  const inCells = isSplit ? measured : values;
  const span: [number, number] = [inCells[0]![0], inCells.at(-1)![0]];
  const { pieces, ...cells } = withDensity(inCells, rowsOf(inCells), span, stepOf({ format, range: span }), options);
  return {
    ...cells,
    range,
    ...(isSplit && { atoms: { values: atoms.map(([value]) => value), counts: atoms.map(([, count]) => count) } }),
    pieces,
    ...boundsOf(range, format, isSplit ? atoms : []),
    ...valueGridOf(
      inCells.map(([value]) => value),
      format,
    ),
  };
}

/** Fewer distinct values are not measurements. */
const LEAST_MEASURED = 3;

function rowsOf(values: readonly ValueCount[]): number {
  return values.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * What the column does not go beyond: 0 where its numbers or durations have one sign, and an end that is an atom,
 * since values that pile up at an end are cut off there.
 */
function boundsOf(
  [least, greatest]: readonly [number, number],
  format: OrderedFormat,
  atoms: readonly ValueCount[],
): Pick<OrderedVariable, 'bounds'> {
  const isAtom = (end: number): boolean => atoms.some(([value]) => value === end);
  const hasSign = format.type === 'number' || format.type === 'duration';
  const low = isAtom(least) ? least : hasSign && least >= 0 ? 0 : null;
  const high = isAtom(greatest) ? greatest : hasSign && greatest <= 0 ? 0 : null;
  return low === null && high === null ? {} : { bounds: [low, high] };
}

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
  return {
    measure: 'mass',
    edges,
    values: values.map(([value]) => value),
    counts,
    tails: null,
    range,
    cuts,
    beyond: 'geometric',
  };
}

function withDensity(
  values: readonly ValueCount[],
  rows: number,
  range: readonly [number, number],
  step: number,
  options: CellOptions,
): Cells & Required<Pick<Cells, 'pieces'>> {
  const bins = Math.max(2, Math.min(options.bins, Math.floor(rows / ROWS_A_BIN)));
  const full = rows / bins;
  const cells: OpenCell[] = [];
  let open: OpenCell | null = null;
  const openAt = (from: number): OpenCell => {
    open = emptyCell(from);
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
      own.values.push([value, count]);
      open = null;
      const next = values[at + 1]?.[0];
      if (next === undefined || next > value + step * 1.5) openAt(value + step / 2);
      return;
    }
    const cell = open ?? openAt(before);
    cell.count += count;
    cell.sum += value * count;
    cell.values.push([value, count]);
    if (cell.count >= full) open = null;
  });
  // the outermost cells have no end of their own: a lone value at the end has the rest of the line beside it
  if (cells[0]!.value !== null) cells.unshift(emptyCell(-Infinity));
  if (cells.at(-1)!.value !== null) openAt(values.at(-1)![0] + step / 2);
  cells[0]!.from = -Infinity;
  const edges = cells.slice(1).map(({ from }) => from);
  const typical = Math.max(step, (range[1] - range[0]) / cells.length);
  const excess = ({ count, sum }: OpenCell, edge: number): number =>
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
    pieces: cutIntoPieces(filledCells(cells, edges, step), step),
  };
}

/** A cell while values come. */
interface OpenCell {
  from: number;
  /** Where it is that of one value alone. */
  value: number | null;
  count: number;
  sum: number;
  readonly values: ValueCount[];
}

function emptyCell(from: number): OpenCell {
  return { from, value: null, count: 0, sum: 0, values: [] };
}

/**
 * The cells with their ends: the outermost begin and end half a step beyond their last value, and no farther from it
 * than its neighbour is.
 */
function filledCells(cells: readonly OpenCell[], edges: readonly number[], step: number): FilledCell[] {
  const marginOf = (value: number, neighbour: number): number =>
    Math.max(Math.min(step / 2, Math.abs(neighbour - value)), Math.abs(value) * 2 ** -50);
  const firstEnd = (): number => {
    const [first, second] = cells[0]!.values.map(([value]) => value);
    return first === undefined ? edges[0]! - step : first - marginOf(first, second ?? edges[0]!);
  };
  const lastEnd = (): number => {
    const [last, before] = cells
      .at(-1)!
      .values.map(([value]) => value)
      .reverse();
    return last === undefined ? edges.at(-1)! + step : last + marginOf(last, before ?? edges.at(-1)!);
  };
  return cells.map(({ values }, at) => ({
    from: at === 0 ? firstEnd() : edges[at - 1]!,
    to: at === edges.length ? lastEnd() : edges[at]!,
    values,
  }));
}
