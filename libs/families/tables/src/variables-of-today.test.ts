import type { Variable } from '@orchard/contracts';
import { decisionTreeOf, pathsOf, valuesOf } from '@orchard/dataset';
import { measured } from '@orchard/dataset/conformance/tables';
import { expect, test } from 'vitest';
import { allCodes, binary, isLawOf, randomModel, rowsOfCodes } from './random-table.suite.js';

const variables: readonly Variable[] = [
  measured('x', 3, 2, 1),
  { ...binary('b'), others: 0 } as Variable,
  measured('y', 2, 1),
];
const model = randomModel(variables, 5);

test('the first decision of a column of atoms and measurements, behind that on a missing value, is which of both it is', () => {
  const paths = pathsOf(decisionTreeOf(variables[0]!));
  const outcomes = paths.map((path) => path.find(({ decision }) => decision === 1)?.outcome);
  expect(outcomes).toEqual([0, 0, 0, 1, 1, undefined]);
});

test('probabilities of all rows sum to one, and samples follow them, without a label that training never had', () => {
  const codes = allCodes(variables);
  const law = Array.from(model.logLikelihood(rowsOfCodes(model, codes)), Math.exp);
  expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  const drawn = codes.flatMap((row, at) => (row[1] === 2 ? [] : [at]));
  const all = drawn.reduce((sum, at) => sum + law[at]!, 0);
  // the label is left out given what stands before it: of two columns alone that is a share of the whole
  expect(all).toBeLessThan(1);
  const rows = model.sample(4000, 3);
  const counts = new Map<string, number>();
  for (let row = 0; row < rows.rows; row++) {
    const own = variables.map((_, index) => model.codeOf(rows, row, index)).join();
    counts.set(own, (counts.get(own) ?? 0) + 1);
  }
  expect([...counts.keys()].every((row) => row.split(',')[1] !== '2')).toBe(true);
  const atomsOfY = Array.from({ length: 4000 }, (_, row) => model.codeOf(rows, row, 2));
  const shares = model.distributionOf(2, rows);
  const expected = [0, 1, 2].map(
    (code) => Array.from({ length: 4000 }, (_, row) => shares[3 * row + code]!).reduce((sum, p) => sum + p, 0) / 4000,
  );
  expect(
    isLawOf(
      [0, 1, 2].map((code) => atomsOfY.filter((own) => own === code).length),
      expected,
    ),
  ).toBe(true);
});

test('sampled values keep to the bound, and atoms are written as they are', () => {
  const rows = model.sample(3000, 4);
  const [x] = valuesOf(rows, model.table, 4);
  const values = x!.filter((text) => text !== null).map(Number);
  expect(Math.min(...values)).toBeGreaterThanOrEqual(-1);
});
