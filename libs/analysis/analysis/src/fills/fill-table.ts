import { codeCount, valuesOf } from '@orchard/dataset';
import { isExactOfTable } from '@orchard/model';
import { seedBehind } from '@orchard/numerics';
import type { FillOptions, TableFills } from './fill-options.js';
import { fillUnderRules } from './fill-under-rules.js';
import { askedOf, filledByDraws, filledByShares } from './missing-value.js';
import type { RowFiller } from './row-filler.js';
import { missingCells, type RowsToFill } from './rows-to-fill.js';

/**
 * Fills in each missing value by one point: from its distribution where the model knows it, else from completions that
 * all cells share, under rules where there are any.
 */
export function fillTable(filler: RowFiller, rows: RowsToFill, options: FillOptions): Promise<TableFills> {
  return filler.rules === null
    ? fillByModel(filler, rows, options)
    : fillUnderRules(filler, filler.rules, rows, options);
}

async function fillByModel(filler: RowFiller, rows: RowsToFill, options: FillOptions): Promise<TableFills> {
  const { model } = filler;
  const { seed, samples, draws } = options;
  const asked = askedOf(model, options);
  const { variables } = model.table;
  const { matrix, known, values, firstRow } = rows;
  const missing = missingCells(model, rows);
  if (isExactOfTable(model)) {
    const { probabilities } = model.distributions(matrix, known);
    const cells = missing.map(({ row, index }) => {
      const codes = codeCount(variables[index]!);
      const shares = probabilities[index]!.subarray(row * codes, (row + 1) * codes);
      return { row: firstRow + row, index, ...filledByShares(variables[index]!, shares, asked(index)) };
    });
    const [completion] = model.completions(matrix, known, { seed, samples, draws: 1, firstRow });
    return { cells, left: [], moved: [], completion: completion!, isExact: true };
  }
  const completions = await filler.completions(rows, { seed, samples, draws, forCells: true });
  const isMissing = (row: number, index: number): boolean => known.get(row, model.offsets[index]!) === 0;
  // of each completion only what was missing is kept: all texts of all of them would be many times the table
  const drawn: string[][] = missing.map(() => []);
  completions.forEach((completion, draw) => {
    const texts = valuesOf(
      completion.matrix,
      model.table,
      seedBehind(seed, draw),
      new Map(),
      values,
      firstRow,
      isMissing,
    );
    missing.forEach(({ row, index }, at) => drawn[at]!.push(texts[index]![row]!));
  });
  const cells = missing.map(({ row, index }, at) => ({
    row: firstRow + row,
    index,
    ...filledByDraws(variables[index]!, drawn[at]!, asked(index)),
  }));
  return { cells, left: [], moved: [], completion: completions[0]!, isExact: false };
}
