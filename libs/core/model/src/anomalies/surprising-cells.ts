import { expectationOf, isExpected } from '@orchard/dataset';
import { exp } from '@orchard/numerics';
import { distributionsOf, type TabularModel } from '../tables/tabular-model.js';
import { natsOfValue } from './cell-surprises.js';
import { surpriseOfNew, type ScoredRows } from './row-surprises.js';
import { smoothing } from './smoothed-shares.js';
import { hasValue, judgedCell, meanOfRows, mostSurprising, type UnusualCellOfRow } from './unusual-cells.js';
import { fillsOf, incompleteRows, isKnown } from './whole-rows.js';

/** Rows whose distributions are held at a time. */
const ROWS_AT_A_TIME = 1024;

/**
 * Of each row of a table the cells that surprise most given the columns before them, the most surprising first: cheaper
 * by far than `unusualCells`, which looks at all other cells, but it may name a right cell that comes after a wrong
 * one. Unknown values are no reason; the cells after them are compared with what is expected whatever they are.
 *
 * @param isSmoothed whether probabilities of numbers are smoothed over neighbouring ones: `smoothing`
 */
export function surprisingCells(
  model: TabularModel,
  rows: ScoredRows,
  top: number,
  { isSmoothed = false }: { readonly isSmoothed?: boolean } = {},
): UnusualCellOfRow[][] {
  const variables = [...model.table.variables.keys()];
  const smooth = model.table.variables.map((variable) => (isSmoothed ? smoothing(variable) : null));
  const found = Array.from({ length: rows.matrix.rows }, (): UnusualCellOfRow[] => []);
  const incomplete = incompleteRows(model, rows);
  const isIncomplete = new Set(incomplete);
  const whole = Array.from({ length: rows.matrix.rows }, (_, row) => row).filter((row) => !isIncomplete.has(row));
  for (let from = 0; from < whole.length; from += ROWS_AT_A_TIME) {
    const some = whole.slice(from, from + ROWS_AT_A_TIME);
    const part = rows.matrix.selectRows(some);
    let index = 0;
    for (const all of distributionsOf(model, part, variables)) {
      const codes = all.length / some.length;
      some.forEach((row, at) => {
        const shares = all.subarray(at * codes, (at + 1) * codes);
        const cell = cellOf(model, rows, row, index, shares, model.codeOf(part, at, index), smooth[index]!);
        if (cell !== null) found[row]!.push(cell);
      });
      index++;
    }
  }
  for (const row of incomplete) {
    const fills = fillsOf(model, rows, row);
    let index = 0;
    for (const all of distributionsOf(model, fills, variables)) {
      if (isKnown(model, rows, row, index)) {
        const shares = meanOfRows(all, all.length / fills.rows);
        const cell = cellOf(model, rows, row, index, shares, model.codeOf(fills, 0, index), smooth[index]!);
        if (cell !== null) found[row]!.push(cell);
      }
      index++;
    }
  }
  return found.map((cells, row) => (hasValue(model, rows, row) ? mostSurprising(cells, top) : []));
}

/** A cell and what is expected of it; null where it is what is expected. */
function cellOf(
  model: TabularModel,
  { misfits, logDensity, numberAt }: ScoredRows,
  row: number,
  index: number,
  shares: Float64Array,
  code: number,
  smooth: ReturnType<typeof smoothing> | null,
): UnusualCellOfRow | null {
  const variable = model.table.variables[index]!;
  const expectation = expectationOf(variable, shares);
  const at = row * model.variables + index;
  if (misfits.has(at)) {
    const nats = surpriseOfNew(variable);
    return { index, probability: exp(-nats), ...expectation, surprise: nats };
  }
  if (isExpected(variable, expectation, code, numberAt?.(row, index) ?? NaN)) return null;
  const farOut = natsOfValue(variable, code, logDensity[at]!);
  const judged = judgedCell(variable, smooth?.(shares) ?? shares, code, { farOut });
  return judged.surprise > 0 ? { index, ...judged, ...expectation } : null;
}
