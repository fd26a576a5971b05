import type { OrderedVariable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { tableOfVariables } from '@orchard/dataset/conformance/tables';
import { emptyEnsemble, untold } from '@orchard/model';
import { families } from '@orchard/registry';
import { TableModel } from '@orchard/tables';
import { expect, test } from 'vitest';
import { askScore } from './index.js';

const hours = [1, 2, 3, 4, 5];

function hour(name: string): OrderedVariable {
  return {
    ...{ kind: 'ordered', name, holes: 0, measure: 'mass', values: hours, tails: null, cuts: [] },
    format: { type: 'number', decimals: 0, places: 0, padded: false },
    edges: hours.slice(1).map((value) => value - 0.5),
    counts: hours.map(() => 5),
    range: [1, 5],
  };
}

/** Columns that know nothing of each other, of which small values are rare. */
const variables = [hour('start'), hour('end'), hour('pause')];
const ensembles = variables.map((variable) => Array.from({ length: codeCount(variable) - 1 }, () => emptyEnsemble(9)));
const model = families.openModel(
  new TableModel({
    table: tableOfVariables(variables),
    ...{ ordering: Uint32Array.of(0, 1, 2), ensembles, specification: null },
    likelihoods: untold,
  }).toBytes(),
);

interface Scored {
  readonly anomalyScore: number;
  readonly surprising: readonly { readonly column: string }[];
}

const scored = (rows: readonly object[], givenColumns?: readonly string[]): readonly Scored[] =>
  askScore(model, { rows, ...(givenColumns !== undefined && { givenColumns }) }).rows as readonly Scored[];

test('scores are of the other columns, whatever the given ones are, and these are no reason', () => {
  const rows = hours.map((start) => ({ start, end: 1, pause: 5 }));
  const given = scored(rows, ['start']);
  for (const { anomalyScore, surprising } of given) {
    expect(anomalyScore).toBeCloseTo(given[0]!.anomalyScore, 10);
    expect(surprising.map(({ column }) => column)).not.toContain('start');
  }
  expect(given[0]!.anomalyScore).toBeGreaterThan(scored([{ start: 1, end: 5, pause: 5 }], ['start'])[0]!.anomalyScore);
  expect(new Set(scored(rows).map(({ anomalyScore }) => anomalyScore)).size).toBeGreaterThan(1);
});

test('columns that are not first in the model are refused with what to train, and columns that it has not by name', () => {
  expect(() => scored([{ start: 1, end: 1, pause: 1 }], ['end'])).toThrow('--ordering first:end');
  expect(() => scored([{ start: 1, end: 1, pause: 1 }], ['strat'])).toThrow('Did you mean "start"?');
});
