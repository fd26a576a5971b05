import type { OrderedVariable } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { momentStep } from '../variables/moment-format.js';
import { MOST_DECIMALS } from '../variables/number-format.js';
import { codeOfValue } from './drawn-text.js';

/** The nearest number on the grid of its column's values; of columns with all digits the number itself. */
export function onGridOf({ format }: OrderedVariable, value: number): number {
  if (format.type !== 'number') {
    const step = momentStep(format);
    return Math.round(value / step) * step;
  }
  if (format.places >= MOST_DECIMALS) return value;
  const perUnit = powerOfTen(format.places);
  return Math.round(value * perUnit) / perUnit;
}

/** The code of a number that was computed; null where the column has none: masses are those of training alone. */
export function codeOfNumber(variable: OrderedVariable, value: number): number | null {
  if (Number.isNaN(value)) return null;
  const code = codeOfValue(variable, value);
  const own = variable.values[code];
  return own === null || own === undefined || own === value ? code : null;
}
