import { codeCount, expectedWords } from '@orchard/dataset';
import { exp } from '@orchard/numerics';
import type { TabularModel } from '../tables/tabular-model.js';
import { natsOfValue } from './cell-surprises.js';
import { surpriseOfNew, type ScoredRows } from './row-surprises.js';
import { judgedCell, meanOfRows, mostSurprising, type UnusualCellOfRow } from './unusual-cells.js';
import { fillsOf, incompleteRows, isKnown } from './whole-rows.js';

/** Rows whose distributions are held at a time. */
const ROWS_AT_A_TIME = 1024;

/**
 * Of each row of a table the cells that surprise most given the columns before them, the most surprising first: cheaper
 * by far than `unusualCells`, which looks at all other cells, but it may name a right cell that comes after a wrong
 * one. Unknown values are no reason; the cells after them are compared with what is expected whatever they are.
 */
export function surprisingCells(model: TabularModel, rows: ScoredRows, top: number): UnusualCellOfRow[][] {
  const found = Array.from({ length: rows.matrix.rows }, (): UnusualCellOfRow[] => []);
  const incomplete = incompleteRows(model, rows);
  const isIncomplete = new Set(incomplete);
  const whole = Array.from({ length: rows.matrix.rows }, (_, row) => row).filter((row) => !isIncomplete.has(row));
  for (let from = 0; from < whole.length; from += ROWS_AT_A_TIME) {
    const some = whole.slice(from, from + ROWS_AT_A_TIME);
    const part = rows.matrix.selectRows(some);
    model.table.variables.forEach((variable, index) => {
      const all = model.distributionOf(index, part);
      const codes = codeCount(variable);
      some.forEach((row, at) => {
        const shares = all.subarray(at * codes, (at + 1) * codes);
        found[row]!.push(cellOf(model, rows, row, index, shares, model.codeOf(part, at, index)));
      });
    });
  }
  for (const row of incomplete) {
    const fills = fillsOf(model, rows, row);
    model.table.variables.forEach((variable, index) => {
      if (!isKnown(model, rows, row, index)) return;
      const shares = meanOfRows(model.distributionOf(index, fills), codeCount(variable));
      found[row]!.push(cellOf(model, rows, row, index, shares, model.codeOf(fills, 0, index)));
    });
  }
  return found.map((cells) => mostSurprising(cells, top));
}

function cellOf(
  model: TabularModel,
  { misfits, logDensity }: ScoredRows,
  row: number,
  index: number,
  shares: Float64Array,
  code: number,
): UnusualCellOfRow {
  const variable = model.table.variables[index]!;
  const expected = expectedWords(variable, shares);
  const at = row * model.variables + index;
  if (misfits.has(at)) {
    const nats = surpriseOfNew(variable);
    return { index, probability: exp(-nats), expected, surprise: nats };
  }
  const farOut = natsOfValue(variable, code, logDensity[at]!);
  return { index, ...judgedCell(variable, shares, code, { farOut }), expected };
}
