import { tableOfVariables } from '@orchard/dataset/conformance/tables';
import type { Variable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { emptyEnsemble, Network, untold } from '@orchard/model';
import { families } from '@orchard/registry';
import { TableModel } from '@orchard/tables';
import { expect, test } from 'vitest';
import { askSample, type SampleAnswer } from './index.js';

function labelled(name: string, labels: readonly string[]): Variable {
  return { kind: 'categorical', name, labels, counts: labels.map(() => 5), others: 0, holes: 0 } as unknown as Variable;
}

const variables = [labelled('sex', ['female', 'male', 'other']), labelled('town', ['Kiel', 'Lund', 'Oslo'])];
const ensembles = variables.map((variable) =>
  Array.from({ length: codeCount(variable) - 1 }, () => emptyEnsemble(0.5)),
);
const model = families.openModel(
  new TableModel({
    table: tableOfVariables(variables),
    ...{ ordering: Uint32Array.of(0, 1), ensembles, specification: null },
    likelihoods: untold,
  }).toBytes(),
);
const sex = [
  { value: 'female', share: 0.6 },
  { value: 'male', share: 0.4 },
];
const countOf = (rows: readonly object[], column: string, value: string): number =>
  rows.filter((row) => (row as Record<string, unknown>)[column] === value).length;

test('rows have the shares that were asked for, exactly of the first column', () => {
  const { rows, shares } = askSample(model, { count: 200, seed: 3, shares: { sex } }) as never as {
    rows: object[];
    shares: { pool: number | null; effectiveRows: number };
  };
  expect(['female', 'male', 'other'].map((value) => countOf(rows, 'sex', value))).toEqual([120, 80, 0]);
  expect(shares).toEqual({ pool: null, effectiveRows: 200 });
});

test('shares of several columns are right together, of weighed rows', () => {
  const town = [
    { value: 'Kiel', share: 0.7 },
    { value: 'Lund', share: 0.3 },
  ];
  const answer = askSample(model, { count: 200, seed: 3, shares: { sex, town } }) as never as {
    rows: object[];
    shares: { pool: number };
  };
  expect(Math.abs(countOf(answer.rows, 'sex', 'female') - 120)).toBeLessThanOrEqual(2);
  expect(Math.abs(countOf(answer.rows, 'town', 'Kiel') - 140)).toBeLessThanOrEqual(2);
  expect(answer.shares.pool).toBeGreaterThan(200);
});

test('rows of 0 and 1 have the shares that were asked for too', () => {
  const bits = new Network({
    ...{ ensembles: [emptyEnsemble(1), emptyEnsemble(0.2)], ordering: Uint32Array.of(0, 1), names: ['smokes', 'old'] },
    ...{ shape: null, specification: null, likelihoods: untold },
  });
  const smokes = [
    { value: 1, share: 0.2 },
    { value: 0, share: 0.8 },
  ];
  const { rows, shares } = askSample(bits, { count: 100, seed: 3, shares: { smokes } }) as SampleAnswer;
  expect(rows.filter((row) => (row as readonly number[])[0] === 1).length).toBe(20);
  expect(shares!.effectiveRows).toBeGreaterThan(50);
  expect(() => askSample(bits, { count: 5, shares: { smokse: smokes } })).toThrow('smokes');
});

test('shares that are not 1, of what is no value, and beside what is given are refused', () => {
  const asked =
    (shares: object, more: object = {}) =>
    () =>
      askSample(model, { count: 5, shares, ...more });
  expect(asked({ sex: [{ value: 'female', share: 0.6 }] })).toThrow('shares of sex that are 0.6 together');
  expect(asked({ sex: [{ value: 'femal', share: 1 }] })).toThrow('femal');
  expect(asked({ sex }, { given: { town: 'Kiel' } })).toThrow('shares beside what is given');
  expect(asked({ sex: [{ value: ['female', 'male'], share: 1 }] })).toThrow('several values');
});
