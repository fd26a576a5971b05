import { expect, test } from 'vitest';
import { readCodes, type BitMatrix } from '../../../libs/core/dataset/src/index.js';
import {
  allCodes,
  binary,
  isLawOf,
  ordered,
  randomModel,
  rowsOfCodes,
} from '../../../libs/families/tables/src/random-table.suite.js';
import type { TableModel } from '../../../libs/families/tables/src/table-model.js';

interface Truth {
  readonly rows: number;
  readonly codes: Uint16Array;
  readonly isHidden: Uint8Array;
  readonly allowed: readonly Float64Array[];
}
interface Weighed {
  readonly matrix: BitMatrix;
  readonly logEvidence: Float64Array;
  readonly effectiveSampleSize: Float64Array;
}
type Weigh = (model: TableModel, truth: Truth, options: { seed: number; samples: number }) => Weighed;

// the benchmark is plain JavaScript, so that it runs without a build of its own
const { weighTable } = (await import(new URL('./table-importance.mjs', import.meta.url).href)) as { weighTable: Weigh };

test('the baseline of tables fills hidden cells as the model says, given what is known, and its evidence is right on average', () => {
  const variables = [binary('a'), ordered('b', 3, 'density'), binary('c')];
  const model = randomModel(variables, 4, { strongest: 2 });
  const every = allCodes(variables);
  const p = Array.from(model.logLikelihood(rowsOfCodes(model, every)), Math.exp);
  // the last one of the ordering is known, the others are hidden
  const known = model.ordering[2]!;
  const agrees = every.map((row) => row[known] === 1);
  const sum = p.reduce((all, share, at) => all + (agrees[at] ? share : 0), 0);
  const rows = 400;
  const truth = {
    rows,
    codes: Uint16Array.from({ length: rows * 3 }, (_, cell) => (cell % 3 === known ? 1 : 0)),
    isHidden: Uint8Array.from({ length: rows * 3 }, (_, cell) => (cell % 3 === known ? 0 : 1)),
    allowed: [2, 3, 2].map((codes) => new Float64Array(codes).fill(1)),
  };
  const { matrix, logEvidence, effectiveSampleSize } = weighTable(model, truth, { seed: 3, samples: 200 });
  const columns = variables.map((_, index) => readCodes(matrix, model.offsets[index]!, model.offsets[index + 1]!));
  const counts = every.map(() => 0);
  for (let row = 0; row < rows; row++)
    counts[every.findIndex((codes) => codes.every((code, index) => code === columns[index]![row]))]!++;
  const law = p.map((share, at) => (agrees[at] ? share / sum : 0));
  expect(isLawOf(counts, law)).toBe(true);
  const mean = logEvidence.reduce((all, nats) => all + Math.exp(nats), 0) / rows;
  expect(Math.abs(mean / sum - 1)).toBeLessThan(0.01);
  for (const size of effectiveSampleSize) expect(size).toBeGreaterThan(1);
  for (const size of effectiveSampleSize) expect(size).toBeLessThan(200.001);
});
