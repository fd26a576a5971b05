import type { Variable } from '@orchard/contracts';
import type { RawCell } from '../table-files/raw-table.js';
import { labelOf } from '../variables/cell-values.js';
import { writtenAs } from '../variables/written-number.js';

/** A cell as a text that the model's column reads as the same value: a number with all of its digits. */
export function modelTextOf(variable: Variable | undefined, cell: Exclude<RawCell, null>): string {
  const format = variable?.kind === 'ordered' ? variable.format : null;
  if (typeof cell !== 'number' || format?.type !== 'number' || format.written === undefined) return labelOf(cell);
  return writtenAs(String(cell), format.written);
}
