import { isExact, toValues, type Completion, type DensityModel } from '@orchard/model';
import type { FilledCell, FillOptions } from './fill-options.js';
import type { RowsToFill, TableFills } from './fill-table.js';

/**
 * Fills in each missing bit by the more probable one: exactly where the model can, else from completions that all bits
 * share.
 */
export function fillBits(model: DensityModel, rows: RowsToFill, options: FillOptions): TableFills {
  const { matrix, known, firstRow } = rows;
  const { interval, seed, samples } = options;
  const completion = model.complete(matrix, known, { seed, samples, firstRow });
  const rates = isExact(model) ? model.marginals(matrix, known).rates : sharesOfOnes(model, rows, completion, options);
  const cells: FilledCell[] = [];
  for (let row = 0; row < matrix.rows; row++)
    for (let index = 0; index < model.dimensions; index++) {
      if (known.get(row, index) === 1) continue;
      const rate = rates[row * model.dimensions + index]!;
      cells.push({ row: firstRow + row, index, value: rate > 0.5 ? '1' : '0', ...intervalOf(rate, interval) });
    }
  return { cells, left: [], completion, isExact: isExact(model) };
}

/** From 0 to 1 unless one of them is surer than the level has it. */
function intervalOf(rate: number, level: number | undefined): Pick<FilledCell, 'low' | 'high' | 'probability'> {
  if (level === undefined) return { low: null, high: null, probability: null };
  if (rate >= level) return { low: '1', high: '1', probability: rate };
  if (1 - rate >= level) return { low: '0', high: '0', probability: 1 - rate };
  return { low: '0', high: '1', probability: 1 };
}

/** The share of 1 among the completions of each bit. */
function sharesOfOnes(
  model: DensityModel,
  { matrix, known, firstRow }: RowsToFill,
  first: Completion,
  { seed, samples, draws }: FillOptions,
): Float64Array {
  const rates = new Float64Array(matrix.rows * model.dimensions);
  for (let draw = 0; draw < draws; draw++) {
    const one = draw === 0 ? first : model.complete(matrix, known, { seed: seed + draw, samples, firstRow });
    toValues(one.matrix).forEach((bit, at) => {
      rates[at]! += bit / draws;
    });
  }
  return rates;
}
