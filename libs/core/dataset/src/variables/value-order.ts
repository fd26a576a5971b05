import type { OrderedVariable } from '@orchard/contracts';
import { cellOf } from './cell-values.js';

/** The codes of cells and atoms in the order of their values: an atom behind the cell in which it would lie. */
export function codesInOrder(variable: OrderedVariable): readonly number[] {
  const { values, atoms } = variable;
  const codes: number[] = [];
  let atom = 0;
  values.forEach((_, cell) => {
    codes.push(cell);
    while (atoms !== undefined && atom < atoms.values.length && cellOf(variable, atoms.values[atom]!) === cell)
      codes.push(values.length + atom++);
  });
  return codes;
}
