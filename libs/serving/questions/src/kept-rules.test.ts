import type { OrderedVariable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { tableOfVariables } from '@orchard/dataset/conformance/tables';
import { emptyEnsemble, untold, type DensityModel } from '@orchard/model';
import { families } from '@orchard/registry';
import { TableModel } from '@orchard/tables';
import { expect, test } from 'vitest';
import { askComplete, askSample } from './index.js';

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

/** A model of two columns that know nothing of each other. */
function modelOf(rules: readonly { readonly words: string }[]): DensityModel {
  const variables = [hour('start'), hour('end')];
  const table = { ...tableOfVariables(variables), ...(rules.length > 0 && { rules }) };
  const ensembles = variables.map((variable) =>
    Array.from({ length: codeCount(variable) - 1 }, () => emptyEnsemble(0.5)),
  );
  const head = { table, specification: null, likelihoods: untold };
  return families.openModel(new TableModel({ ...head, ordering: Uint32Array.of(0, 1), ensembles }).toBytes());
}

interface Hours {
  readonly start: number;
  readonly end: number;
}

const rules = [{ words: 'start <= end' }];
const follows = (row: object): boolean => {
  const { start, end } = row as Hours;
  return start <= end;
};

test('sampled rows follow the rules that the model keeps, and these are said', () => {
  const rowsOf = (model: DensityModel): readonly object[] => askSample(model, { count: 100, seed: 1 }).rows;
  expect(rowsOf(modelOf([])).every(follows)).toBe(false);
  expect(rowsOf(modelOf(rules)).every(follows)).toBe(true);
  const said = { followed: true, rules: ['start <= end'] };
  expect(askSample(modelOf(rules), { count: 1 })).toMatchObject({ rules: said });
  expect(askSample(modelOf([]), { count: 1 })).not.toHaveProperty('rules');
});

test('rows of which something is given need not follow them, which is said', () => {
  expect(askSample(modelOf(rules), { count: 5, given: { end: 1 } })).toMatchObject({ rules: { followed: false } });
});

test('filled rows follow them', () => {
  const rows = hours.map((start) => ({ start, end: null }));
  const answer = askComplete(modelOf(rules), { rows, draws: 20, seed: 2 });
  const completions = answer.rows.flatMap((row): readonly object[] => row.completions);
  expect(completions).toHaveLength(100);
  expect(completions.every(follows)).toBe(true);
  expect(answer).toMatchObject({ rules: { followed: true } });
  expect(askComplete(modelOf(rules), { rows, probabilities: true })).toMatchObject({ rules: { followed: false } });
});
