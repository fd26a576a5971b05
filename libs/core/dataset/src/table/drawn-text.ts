import type { OrderedVariable } from '@orchard/contracts';
import { boundsOf } from '../variables/bounds.js';
import { cellOf, numberOf, stepAsWritten, writeValue } from '../variables/cell-values.js';
import { drawIn, drawWithin, isTail, shareIn } from '../variables/density.js';
import { commonRanges } from '../variables/equal-columns.js';
import { MOST_DECIMALS } from '../variables/number-format.js';
import { sharesIn, type ValueRange } from '../variables/restriction.js';
import { nearestOnGrid } from '../variables/value-grid.js';

const EVERYWHERE: ValueRange = [-Infinity, Infinity];

/**
 * A value of a cell that only some ranges are allowed of: the range is drawn by its share, and what is left of the
 * number is uniform again. A column's bounds are kept to: of a cell beyond them the bound is written.
 */
export function textWithin(
  variable: OrderedVariable,
  code: number,
  uniform: number,
  ranges: readonly ValueRange[] = [],
): string {
  const within = ranges.length > 0 && isTail(variable, code) ? commonRanges(ranges, [boundsOf(variable)]) : ranges;
  const { shares } = sharesIn(variable, code, within);
  const own = within.map((range, at) => ({ range, share: shares[at]! })).filter(({ share }) => share > 0);
  if (own.length === 0) return drawnText(variable, code, uniform, EVERYWHERE);
  if (own.length === 1) return drawnText(variable, code, uniform, own[0]!.range);
  let rest = uniform * own.reduce((sum, { share }) => sum + share, 0);
  const at = own.findIndex(({ share }, index) => {
    if (rest < share || index === own.length - 1) return true;
    rest -= share;
    return false;
  });
  const { range, share } = own[at]!;
  return drawnText(variable, code, Math.min(rest / share, 1 - 2 ** -53), range);
}

function drawnText(variable: OrderedVariable, code: number, uniform: number, range: ValueRange): string {
  if (range !== EVERYWHERE) return writtenNear(variable, code, drawWithin(variable, code, 1 - uniform, range), range);
  const value = drawIn(variable, code, 1 - uniform);
  return isBeyondBounds(variable, code) ? writeValue(value, variable.format) : writtenNear(variable, code, value);
}

/** Whether a cell has no value within the column's bounds, as the one below a least value of 0 that many rows have. */
function isBeyondBounds(variable: OrderedVariable, code: number): boolean {
  if (variable.bounds === undefined || variable.pieces === undefined || !isTail(variable, code)) return false;
  const [least, greatest] = boundsOf(variable);
  return shareIn(variable, code, least, greatest) === 0;
}

/** How a value of a cell is written, in the cell and in a range: on the grid of the column where it has one there. */
export function writtenNear(
  variable: OrderedVariable,
  code: number,
  value: number,
  range: ValueRange = EVERYWHERE,
): string {
  const { format } = variable;
  if (format.type === 'number' && format.places >= MOST_DECIMALS) return writeValue(value, format);
  const step = stepAsWritten(format);
  // on the grid of the column's values, to which most cells keep; else with as many digits as they have
  for (const near of [...nearestOnGrid(variable, value), value, value + step, value - step]) {
    const onGrid = format.type === 'number' ? Number(near.toFixed(format.places)) : Math.round(near / step) * step;
    const text = writeValue(onGrid, format);
    const written = numberOf(text, format);
    if (codeOfValue(variable, written) === code && written >= range[0] && written <= range[1]) return text;
  }
  return format.type === 'number' ? String(value) : writeValue(value, format);
}

/** The cell or the atom of a number. */
export function codeOfValue(variable: OrderedVariable, value: number): number {
  const atom = variable.atoms?.values.indexOf(value) ?? -1;
  return atom < 0 ? cellOf(variable, value) : variable.values.length + atom;
}
