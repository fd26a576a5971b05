import {
  addEqualNats,
  codeOffsets,
  drawIn,
  drawWithin,
  equalColumnsOf,
  logDensityIn,
  readCodes,
  unknownValues,
  type BitMatrix,
} from '@orchard/dataset';
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
  surprises.forEach((nats, at) => {
    typical[at % typical.length]! += nats / TYPICAL_ROWS;
  });
  known.set(model, typical);
  return typical;
}

/** What a value that is sampled in each cell adds to the log-probability of its code: element `row * V + variable`. */
function sampledDensities({ table, variables }: TabularModel, rows: BitMatrix): Float64Array {
  const offsets = codeOffsets(table);
  const nats = new Float64Array(rows.rows * variables);
  const values = unknownValues(table, rows.rows);
  const codes = table.variables.map((_, index) => readCodes(rows, offsets[index]!, offsets[index + 1]!));
  for (let row = 0; row < rows.rows; row++) {
    const stream = new RandomStream(SEED, Purpose.cell, row);
    const put = (index: number, value: number): void => {
      nats[row * variables + index] = logDensityIn(table.variables[index]!, codes[index]![row]!, value);
      const own = values.get(index);
      if (own !== undefined) own[row] = value;
    };
    const uniforms = table.variables.map((variable, index) => {
      const uniform = stream.uniform();
      const code = codes[index]![row]!;
      if (variable.kind !== 'ordered') put(index, 0);
      else if (code < variable.values.length) put(index, drawIn(variable, code, 1 - uniform));
      return uniform;
    });
    for (const pair of equalColumnsOf(table)) {
      const own = [codes[pair.first]![row]!, codes[pair.second]![row]!] as const;
      const decides = stream.uniform();
      const overlap = pair.overlap(...own);
      if (overlap === null || decides >= pair.chance(overlap, own)) continue;
      const value = drawWithin(pair.one, own[0], 1 - uniforms[pair.first]!, overlap.range);
      put(pair.first, value);
      put(pair.second, value);
    }
  }
  addEqualNats(table, rows, values, nats);
  return nats;
}
