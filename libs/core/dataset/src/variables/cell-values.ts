import type { OrderedFormat, OrderedVariable, Variable } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import type { RawCell } from '../table-files/raw-table.js';
import { otherCode } from './codes.js';
import { isOfWholeNumbers, momentFromText, momentPattern, momentStep, writeMoment } from './moment-format.js';
import { standForNumbers } from './merged-texts.js';
import { numberWritten, writtenAs } from './written-number.js';
import { nearestOnGrid } from './value-grid.js';
import { bounded, MOST_DECIMALS, numberFromText, writeNumber } from './number-format.js';

/** What a cell is called as a label. */
export function labelOf(cell: Exclude<RawCell, null>): string {
  if (typeof cell === 'boolean') return cell ? 'True' : 'False';
  return String(cell);
}

/** Whether a cell is a missing value: nothing, or no number where numbers are. */
export function isHole(cell: RawCell | undefined): cell is null | undefined {
  return cell === null || cell === undefined || (typeof cell === 'number' && Number.isNaN(cell));
}

/** The number that a cell is in a column of that format, NaN where it is none. */
export function numberOf(cell: Exclude<RawCell, null>, format: OrderedFormat): number {
  if (format.type === 'number') {
    if (typeof cell !== 'string') return bounded(Number(cell));
    return format.written === undefined ? numberFromText(cell) : bounded(numberWritten(cell, format.written));
  }
  if (typeof cell === 'string') return momentFromText(cell, format);
  return isOfWholeNumbers(format) && typeof cell === 'number' ? momentFromText(String(cell), format) : NaN;
}

/** What a cell of an ordered variable has to be, for messages. */
export function expectedCell(format: OrderedFormat): string {
  if (format.type === 'number') return 'a number';
  if (format.type === 'date') return 'a date in the format of the training rows';
  const what = format.type === 'time' ? 'a time of day' : 'a duration';
  return `${what}, as the training rows write it: ${momentPattern(format)}`;
}

/** A value of an ordered variable as the file writes it. */
export function writeValue(value: number, format: OrderedFormat): string {
  if (format.type !== 'number') return writeMoment(value, format);
  const text = writeNumber(value, format);
  return format.written === undefined ? text : writtenAs(text, format.written);
}

/**
 * A value of an ordered variable on the grid of its column, as the file writes it: a mean of whole numbers is a whole
 * number.
 * @param variable without a `grid` for values that keep to its digits alone
 * @param side where it may not lie: of the ends of an interval nothing is lost by rounding
 */
export function writeOnGrid(
  value: number,
  variable: Pick<OrderedVariable, 'format' | 'grid' | 'bounds'>,
  side: 'nearest' | 'below' | 'above' = 'nearest',
): string {
  const { format } = variable;
  const own = nearestOnGrid(variable, value).find(
    (near) => side === 'nearest' || (side === 'below' ? near <= value : near >= value),
  );
  if (own !== undefined) return writeValue(own, format);
  if (format.type === 'number' && format.places >= MOST_DECIMALS) return writeValue(value, format);
  const step = stepAsWritten(format);
  const near = format.type === 'number' ? Number(value.toFixed(format.places)) : Math.round(value / step) * step;
  const away = side === 'below' && near > value ? -step : side === 'above' && near < value ? step : 0;
  return writeValue(format.type === 'number' ? Number((near + away).toFixed(format.places)) : near + away, format);
}

/** The distance of neighbouring values with as many digits as the column has. */
export function stepAsWritten(format: OrderedFormat): number {
  return format.type === 'number' ? powerOfTen(-format.places) : momentStep(format);
}

/** The least distance of two values that are written differently. */
export function stepOf({ format, range }: Pick<OrderedVariable, 'format' | 'range'>): number {
  // half of it must separate a number from its neighbour, however far from 0 it is
  const resolution = Math.max(2 ** -1060, Math.max(Math.abs(range[0]), Math.abs(range[1])) * 2 ** -51);
  if (format.type !== 'number') return Math.max(momentStep(format), resolution);
  const grid = format.places < MOST_DECIMALS ? powerOfTen(-format.places) : 0;
  // digits far below the differences of values are floating-point noise
  return Math.max(grid, (range[1] - range[0]) * 2 ** -20, resolution);
}

/** The cell of an ordered value by its edges alone: with masses the nearest one. O(log cells) */
export function cellOf({ edges }: Pick<OrderedVariable, 'edges'>, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < edges[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Turns the cells of one column into codes. */
export class Encoder {
  readonly #labels: ReadonlyMap<string, number> | null;
  /** Of values that have a code to themselves; null where there are none. */
  readonly values: ReadonlyMap<number, number> | null;
  readonly #standForNumbers: boolean;

  constructor(readonly variable: Variable) {
    this.#standForNumbers = variable.kind !== 'ordered' && standForNumbers(variable.labels);
    this.#labels = variable.kind === 'ordered' ? null : new Map(variable.labels.map((label, code) => [label, code]));
    const isMass = variable.kind === 'ordered' && variable.measure === 'mass';
    if (isMass) this.values = new Map(variable.values.map((value, code) => [value!, code]));
    else if (variable.kind === 'ordered' && variable.atoms !== undefined)
      this.values = new Map(variable.atoms.values.map((value, at) => [value, variable.values.length + at]));
    else this.values = null;
  }

  /** The number that a cell of an ordered variable is; NaN of any other. */
  value(cell: Exclude<RawCell, null>): number {
    return this.variable.kind === 'ordered' ? numberOf(cell, this.variable.format) : NaN;
  }

  /**
   * The code of a cell that is not missing, or null where the variable has none for it: a third label of a binary
   * variable.
   * @param value of {@link Encoder.value}
   * @throws never: what is not a number is null too
   */
  code(cell: Exclude<RawCell, null>, value: number): number | null {
    const { variable } = this;
    if (variable.kind !== 'ordered')
      return this.#labels!.get(labelOf(cell)) ?? this.#spelled(cell) ?? otherCode(variable);
    if (Number.isNaN(value)) return null;
    const own = this.values?.get(value);
    if (own !== undefined) return own;
    // a number that training never had is read as the nearest that it had, which older files cannot say
    const isNearest = variable.measure === 'density' || variable.beyond !== undefined;
    return isNearest ? cellOf(variable, value) : otherCode(variable);
  }

  /** The same number spelled otherwise: 1 for 1.0, where labels are numbers. */
  #spelled(cell: Exclude<RawCell, null>): number | null {
    if (!this.#standForNumbers) return null;
    const number = typeof cell === 'string' ? numberFromText(cell) : Number(cell);
    if (Number.isNaN(number)) return null;
    for (const [label, code] of this.#labels!) if (numberFromText(label) === number) return code;
    return null;
  }
}
