import { codeCount } from '@orchard/dataset';
import { randomVariables, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { mixtureOf } from '@orchard/members';
import { emptyEnsemble, untold, type Ensemble } from '@orchard/model';
import { TableModel } from '@orchard/tables';
import { expect, test } from 'vitest';
import { checkWork, knowsTypical, treesOf } from './work.js';

const variables = randomVariables(3, 4);
const head = { table: tableOfVariables(variables), specification: null, likelihoods: untold };
const decisions = variables.reduce((sum, variable) => sum + codeCount(variable) - 1, 0);

/** Trees of one leaf, so many for each decision. */
function modelOf(trees: number): TableModel {
  const leaves = new Uint32Array(trees).fill(1);
  const grown: Ensemble = { ...emptyEnsemble(1), leafCounts: leaves, leafFactor: new Float64Array(trees).fill(1) };
  const ensembles = variables.map((variable) => Array.from({ length: codeCount(variable) - 1 }, () => grown));
  return new TableModel({ ...head, ordering: Uint32Array.of(0, 1, 2, 3), ensembles });
}

test('a row passes the trees of all decisions in all members; a decision without trees counts as one', () => {
  expect(treesOf(modelOf(0))).toBe(decisions);
  expect(treesOf(modelOf(70))).toBe(70 * decisions);
  const members = [modelOf(10), modelOf(20)];
  expect(treesOf(mixtureOf({ ...head, members, weights: Float64Array.of(0.5, 0.5) }))).toBe(30 * decisions);
});

test('a question is refused for its rows, particles and trees together, before it is computed', () => {
  const model = modelOf(1_000);
  const rows = Math.floor(1e9 / (256 * 1_000 * decisions));
  expect(() => checkWork(model, { rows, particles: 256, values: 4 })).not.toThrow();
  expect(() => checkWork(model, { rows: rows + 1, particles: 256, values: 4 })).toThrow(
    `got ${rows + 1} rows, 256 particles each, for a model of ${1_000 * decisions} trees, expected rows x particles x trees of at most 1000000000. Ask for fewer rows or particles at a time`,
  );
});

test('what is typical of a model is sampled unless it has more trees than one question may pass', () => {
  const most = Math.floor(1e9 / (1000 * decisions));
  expect([knowsTypical(modelOf(most)), knowsTypical(modelOf(most + 1))]).toEqual([true, false]);
});

test('a question is refused for the probabilities that are held together', () => {
  const model = modelOf(1);
  expect(() => checkWork(model, { rows: 2_000, values: 1_000 })).not.toThrow();
  expect(() => checkWork(model, { rows: 2_001, values: 1_000 })).toThrow(
    'got 2001 rows of 1000 values, expected at most 2000000 values in one request. Ask for fewer rows at a time',
  );
});
