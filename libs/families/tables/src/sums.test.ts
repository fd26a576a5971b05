import type { ColumnSum } from '@orchard/contracts';
import { predictorCount } from '@orchard/dataset';
import { openModel } from '@orchard/model';
import { expect, test } from 'vitest';
import { csvRows, finishedTable } from './finished-table.suite.js';
import { allCodes, categorical, measured, randomModel, rowsOfCodes } from './random-table.suite.js';
import type { TableModel } from './table-model.js';
import { tables } from './tables.js';

const variables = [measured('bill', 4, 1, 1), categorical('kind', 2), measured('paid', 3, 0), measured('next', 4, 0)];
const sums: readonly ColumnSum[] = [{ total: 'bill', parts: ['paid', 'next'] }];
const seeds = [0, 1, 2, 3, 4, 5, 6, 7];

test.each(seeds)('likelihoods of all rows of table %i sum to one, and its file says the same', (seed) => {
  const model = randomModel(variables, seed, { trees: 9, sums });
  const rows = rowsOfCodes(model, allCodes(variables));
  const logs = model.logLikelihood(rows);
  expect(Math.abs(logs.reduce((sum, value) => sum + Math.exp(value), 0) - 1)).toBeLessThan(1e-9);
  const file = model.toBytes();
  expect(file[31]).toBe(23);
  expect(openModel(file, [tables.codec]).logLikelihood(rows)).toEqual(logs);
});

/** Bills, what is paid of them, and the next bills: the rest and what is spent. */
const bills = csvRows('before,next,paid', 900, (_, number) => {
  const [before, paid] = [1000 + 9000 * number(), 20 + 400 * number()];
  return [before, before - paid + 60 * number(), paid].map((value) => value.toFixed(2));
});

test('what is paid follows from one bill less the next, and importance says so', async () => {
  const model = (await finishedTable(bills)).model as TableModel;
  expect(model.table.sums).toEqual([{ total: 'before', parts: ['next', 'paid'] }]);
  const own = model.table.variables.slice(0, 2).reduce((sum, variable) => sum + predictorCount(variable), 0);
  const splits = model.ensembles[2]!.flatMap(({ splitPredictor }) => [...splitPredictor]);
  expect(splits.filter((predictor) => predictor >= own).length).toBeGreaterThan(splits.length / 2);
  const [before, next] = model.importanceOf(2);
  expect(before! + next!).toBeCloseTo(1, 9);
  expect(before).toBeGreaterThan(0.3);
  expect(next).toBeGreaterThan(0.3);
  expect(model.summary().facts).toContainEqual(['sums', 'before near next + paid']);
});
