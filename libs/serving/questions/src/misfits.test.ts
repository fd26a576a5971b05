import { randomVariables, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { emptyEnsemble, untold, type DensityModel } from '@orchard/model';
import { codeCount } from '@orchard/dataset';
import { TableModel } from '@orchard/tables';
import { describe, expect, test } from 'vitest';
import { families } from '@orchard/registry';
import type { CategoricalVariable, OrderedVariable } from '@orchard/contracts';
import { askComplete, askScore } from './index.js';

const amount: OrderedVariable = {
  ...{ kind: 'ordered', name: 'amount', holes: 0, measure: 'density', edges: [10, 20], values: [null, null, null] },
  format: { type: 'number', decimals: 2, places: 2, padded: true },
  ...{ counts: [30, 40, 30], tails: [5, 5], range: [1, 30], cuts: [1, 2] },
};
const day: OrderedVariable = { ...amount, name: 'day', format: { type: 'date', time: null }, range: [19_723, 20_088] };

const shop: CategoricalVariable = {
  ...{
    kind: 'categorical',
    name: 'shop',
    holes: 0,
    labels: ['Kiel', 'Lund'],
    counts: [60, 40],
    others: 0,
    cuts: [1, 2],
  },
};

const model: DensityModel = (() => {
  const variables = [...randomVariables(3, 1), amount, { ...day, edges: [19_800, 19_900] }, shop];
  const head = { table: tableOfVariables(variables), specification: null, likelihoods: untold };
  const ensembles = variables.map((variable) =>
    Array.from({ length: codeCount(variable) - 1 }, () => emptyEnsemble(1.5)),
  );
  return families.openModel(new TableModel({ ...head, ordering: Uint32Array.of(0, 1, 2, 3), ensembles }).toBytes());
})();

describe('rows of a request that are written otherwise than those that trained', () => {
  const likelihoodOf = (row: object): unknown =>
    (askScore(model, { rows: [row] }) as { logLikelihood: number }).logLikelihood;

  test('are the same rows, and are filled in as they are written', () => {
    const expected = likelihoodOf({ amount: 12.5, day: '2024-11-30' });
    for (const row of [
      { amount: '$12.50', day: '11/30/2024' },
      { amount: '12,50', day: '30.11.2024' },
      { amount: '12.5', day: '2024-11-30T00:00:00' },
    ])
      expect(likelihoodOf(row)).toBe(expected);
    const { rows } = askComplete(model, { rows: [{ day: '11/30/2024' }, { day: null }] }) as {
      rows: { completions: Record<string, unknown>[] }[];
    };
    expect(rows[0]!.completions[0]!['day']).toBe('11/30/2024');
    expect(rows[1]!.completions[0]!['day']).toMatch(/^\d\d\/\d\d\/\d{4}$/);
  });

  test('are refused where a day and a month may be each other', () => {
    expect(() => askScore(model, { rows: [{ day: '03/04/2024' }] })).toThrow('dates that can be read in one way');
  });

  test('have words among numbers counted, and left as they are', () => {
    const rows = [{ amount: 'much' }, { amount: 3 }];
    expect(askScore(model, { rows })).toMatchObject({ misfits: 1 });
    expect(askComplete(model, { rows })).toMatchObject({
      misfits: 1,
      rows: [{ completions: [{ amount: 'much' }] }, { completions: [{ amount: 3 }] }],
    });
  });

  test('are refused where no label of a column is of the training rows, until they are said to be new ones', () => {
    const rows = Array.from({ length: 12 }, (_, row) => ({ shop: `new ${row % 3}` }));
    expect(() => askScore(model, { rows })).toThrow(/column "shop".*say that the column is categorical \(`types`\)/);
    expect(() => askComplete(model, { rows })).toThrow('none of 12 cells is a label of the training rows');
    const types = { shop: 'categorical' };
    expect(askScore(model, { rows, types })).toMatchObject({ unseen: 12 });
    expect(askComplete(model, { rows, types })).toMatchObject({
      rows: [{ completions: [{ shop: 'new 0' }] }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
    expect(() => askScore(model, { rows, types: { amount: 'categorical' } })).toThrow('ordered, as the model has it');
  });

  test('are refused where most cells of a column are not read, with the place of the first', () => {
    const rows = [{ amount: null }, { amount: 'much' }, { amount: 'little' }];
    expect(() => askScore(model, { rows })).toThrow(/rows\.1\.amount: got "much" \(2 of 2 cells\), expected a number/);
  });
});
