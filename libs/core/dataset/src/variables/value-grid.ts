import type { OrderedFormat, OrderedVariable, ValueGrid } from '@orchard/contracts';
import { log, powerOfTen } from '@orchard/numerics';
import { boundsOf } from './bounds.js';
import { momentStep } from './moment-format.js';
import { MOST_DECIMALS } from './number-format.js';

/** Values that lie on one grid by chance, of those that a column may be found to keep to: one in as many columns. */
const CHANCE = 2 ** 20;

/**
 * The grid that values keep to and that is coarser than how they are written: multiples of 25, hours, Mondays, prices
 * that end in 99. Absent where there is none, or where so few values may lie on one by chance.
 *
 * @param values distinct, ascending
 */
export function valueGridOf(values: readonly number[], format: OrderedFormat): { readonly grid?: ValueGrid } {
  const perUnit = unitsIn(format);
  if (perUnit === null) return {};
  const first = Math.round(values[0]! * perUnit);
  let step = 0;
  for (const value of values) {
    const unit = Math.round(value * perUnit);
    if (!Number.isSafeInteger(unit)) return {};
    step = greatestDivisor(unit - first, step);
    if (step === 1) return {};
  }
  const finest = format.type === 'number' ? 1 : momentStep(format);
  const isChance = (values.length - 1) * log(step / finest) < log(CHANCE);
  if (!Number.isSafeInteger(step) || step <= finest || isChance) return {};
  return { grid: { step, first: ((first % step) + step) % step } };
}

/**
 * The values of a column's grid that are nearest to a value, nearest first, within the column's bounds; none where it
 * keeps to no grid but that of its digits.
 */
export function nearestOnGrid(
  variable: Pick<OrderedVariable, 'format' | 'grid' | 'bounds'>,
  value: number,
): readonly number[] {
  const { format, grid } = variable;
  if (grid === undefined) return [];
  const perUnit = unitsIn(format)!;
  const at = Math.floor((value * perUnit - grid.first) / grid.step + 0.5);
  const [low, high] = boundsOf(variable);
  return [0, 1, -1]
    .map((steps) => (grid.first + (at + steps) * grid.step) / perUnit)
    .filter((near) => near >= low && near <= high);
}

/** `in steps of 25`; null of a variable without a grid, and of times, whose steps are said by their values. */
export function gridWords({ format, grid }: Pick<OrderedVariable, 'format' | 'grid'>): string | null {
  if (grid === undefined || format.type !== 'number') return null;
  return `in steps of ${String(grid.step / unitsIn(format)!)}`;
}

/** Units of a grid in 1; null of numbers with all digits, which are on none. */
function unitsIn(format: OrderedFormat): number | null {
  if (format.type !== 'number') return 1;
  return format.places < MOST_DECIMALS ? powerOfTen(format.places) : null;
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? Math.abs(one) : greatestDivisor(other, one % other);
}
