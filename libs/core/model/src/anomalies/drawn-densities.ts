import {
  addEqualNats,
  codeOffsets,
  drawIn,
  drawWithin,
  equalColumnsOf,
  logDensitiesOfDrawn,
  logDensityIn,
  readCodes,
  unknownValues,
  type BitMatrix,
} from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { TabularModel } from '../tables/tabular-model.js';

/**
 * What a value that is drawn in each cell adds to the log-probability of its code, nats: for rows of which the codes
 * alone are known, as of those that a model samples or that a run keeps.
 *
 * @returns element `row * V + variable`
 */
export function drawnDensities({ table, variables }: TabularModel, rows: BitMatrix, seed: number): Float64Array {
  const offsets = codeOffsets(table);
  const nats = new Float64Array(rows.rows * variables);
  // a code of 0 or 1 stands for one value: nothing is drawn
  if (table.variables.every(({ kind }) => kind === 'binary')) return nats;
  const values = unknownValues(table, rows.rows);
  const codes = table.variables.map((_, index) => readCodes(rows, offsets[index]!, offsets[index + 1]!));
  // most cells need no value: what it adds is that of its code
  const byCode = table.variables.map((variable, index) => (values.has(index) ? null : logDensitiesOfDrawn(variable)));
  for (let row = 0; row < rows.rows; row++) {
    const stream = new RandomStream(seed, Purpose.cell, row);
    const put = (index: number, value: number): void => {
      nats[row * variables + index] = logDensityIn(table.variables[index]!, codes[index]![row]!, value);
      const own = values.get(index);
      if (own !== undefined) own[row] = value;
    };
    const uniforms = table.variables.map((variable, index) => {
      const uniform = stream.uniform();
      const code = codes[index]![row]!;
      const ofCode = byCode[index]?.[code] ?? NaN;
      if (!Number.isNaN(ofCode)) nats[row * variables + index] = ofCode;
      else if (variable.kind !== 'ordered') put(index, 0);
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
