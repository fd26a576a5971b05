import type { BitMatrix } from '@orchard/dataset';
import { isExact, toValues, type Completion, type DensityModel } from '@orchard/model';
import type { FilledCell, FillOptions } from './fill-options.js';

export interface BitFills {
  readonly cells: readonly FilledCell[];
  /** The rows with the more probable bit for each missing one. */
  readonly matrix: BitMatrix;
  readonly completion: Completion;
  readonly isExact: boolean;
}

/**
 * Fills in each missing bit by the more probable one: exactly where the model can, else from completions that all bits
 * share.
 */
export function fillBits(model: DensityModel, values: BitMatrix, known: BitMatrix, options: FillOptions): BitFills {
  const { interval } = options;
  const completion = model.complete(values, known, options);
  const rates = isExact(model)
    ? model.marginals(values, known).rates
    : sharesOfOnes(model, values, known, completion, options);
  const matrix = values.selectRows(Array.from({ length: values.rows }, (_, row) => row));
  const cells: FilledCell[] = [];
  for (let row = 0; row < values.rows; row++)
    for (let index = 0; index < model.dimensions; index++) {
      if (known.get(row, index) === 1) continue;
      const rate = rates[row * model.dimensions + index]!;
      const bit = rate > 0.5 ? 1 : 0;
      matrix.set(row, index, bit);
      cells.push({ row, index, value: String(bit), ...intervalOf(rate, interval) });
    }
  return { cells, matrix, completion, isExact: isExact(model) };
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
  values: BitMatrix,
  known: BitMatrix,
  first: Completion,
  { seed, samples, draws }: FillOptions,
): Float64Array {
  const rates = new Float64Array(values.rows * model.dimensions);
  for (let draw = 0; draw < draws; draw++) {
    const { matrix } = draw === 0 ? first : model.complete(values, known, { seed: seed + draw, samples });
    toValues(matrix).forEach((bit, at) => {
      rates[at]! += bit / draws;
    });
  }
  return rates;
}
