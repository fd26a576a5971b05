import { codeOffsets, drawIn, logDensityIn, readCodes, type BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { DensityModel } from '../port/density-model.js';
import { isTabular, type TabularModel } from '../tables/tabular-model.js';
import { bitSurprises, cellSurprises } from './cell-surprises.js';

/** Rows that a model samples, once, as what is typical of it. */
export const TYPICAL_ROWS = 1000;
const SEED = 0;

const known = new WeakMap<DensityModel, Float64Array>();

/**
 * What the surprise of each column typically is, nats: its mean over rows that the model samples itself. So it belongs
 * to the model, and a row has the same score alone and in any file. One value of a model whose likelihood has no share
 * for each column.
 */
export function typicalSurprises(model: DensityModel): Float64Array {
  const before = known.get(model);
  if (before !== undefined) return before;
  const rows = model.sample(TYPICAL_ROWS, SEED);
  const surprises = isTabular(model)
    ? cellSurprises(model, rows, sampledDensities(model, rows))
    : bitSurprises(model, rows);
  const typical = new Float64Array(surprises.length / TYPICAL_ROWS);
  surprises.forEach((nats, at) => (typical[at % typical.length]! += nats / TYPICAL_ROWS));
  known.set(model, typical);
  return typical;
}

/** What a value that is sampled in each cell adds to the log-probability of its code: element `row * V + variable`. */
function sampledDensities({ table, variables }: TabularModel, rows: BitMatrix): Float64Array {
  const offsets = codeOffsets(table);
  const nats = new Float64Array(rows.rows * variables);
  const codes = table.variables.map((_, index) => readCodes(rows, offsets[index]!, offsets[index + 1]!));
  for (let row = 0; row < rows.rows; row++) {
    const stream = new RandomStream(SEED, Purpose.cell, row);
    table.variables.forEach((variable, index) => {
      const uniform = stream.uniform();
      const code = codes[index]![row]!;
      const at = row * variables + index;
      if (variable.kind !== 'ordered') nats[at] = logDensityIn(variable, code, 0);
      else if (code < variable.values.length)
        nats[at] = logDensityIn(variable, code, drawIn(variable, code, 1 - uniform));
    });
  }
  return nats;
}
