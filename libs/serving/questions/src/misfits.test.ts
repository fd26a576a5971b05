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
  const likelihoodOf = async (row: object): Promise<number> => (await askScore(model, { rows: [row] })).logLikelihood;

  test('are the same rows, and are filled in as they are written', async () => {
    const expected = await likelihoodOf({ amount: 12.5, day: '2024-11-30' });
    for (const row of [
      { amount: '$12.50', day: '11/30/2024' },
      { amount: '12,50', day: '30.11.2024' },
      { amount: '12.5', day: '2024-11-30T00:00:00' },
    ])
      expect(await likelihoodOf(row)).toBe(expected);
    const { remarks } = await askScore(model, { rows: [{ day: '11/30/2024' }] });
    expect(remarks).toEqual([expect.stringContaining('"11/30/2024" are read as 2024-11-30')]);
    const { rows } = await askComplete(model, { rows: [{ day: '11/30/2024' }, { day: null }] });
    const dayOf = (row: number): unknown => (rows[row]!.completions[0] as Record<string, unknown>)['day'];
    expect(dayOf(0)).toBe('11/30/2024');
    expect(dayOf(1)).toMatch(/^\d\d\/\d\d\/\d{4}$/);
  });

  test('are refused where a day and a month may be each other', async () => {
    await expect(askScore(model, { rows: [{ day: '03/04/2024' }] })).rejects.toThrow(
      'dates that can be read in one way',
    );
  });

  test('have words among numbers counted, and left as they are', async () => {
    const rows = [{ amount: 'much' }, { amount: 3 }];
    const said = (becomes: string): string[] => [
      `1 cell that does not fit the column "amount", ${becomes}: "much" in row 1`,
    ];
    expect(await askScore(model, { rows })).toMatchObject({ misfits: 1, remarks: said('counted as missing') });
    expect(await askComplete(model, { rows })).toMatchObject({
      misfits: 1,
      remarks: said('kept as written'),
      rows: [{ completions: [{ amount: 'much' }] }, { completions: [{ amount: 3 }] }],
    });
  });

  test('are refused where no label of a column is of the training rows, until they are said to be new ones', async () => {
    const rows = Array.from({ length: 12 }, (_, row) => ({ shop: `new ${row % 3}` }));
    await expect(askScore(model, { rows })).rejects.toThrow(
      /column "shop".*say that the column is categorical \(`types`\)/,
    );
    await expect(askComplete(model, { rows })).rejects.toThrow('none of 12 cells is a label of the training rows');
    const types = { shop: 'categorical' };
    expect(await askScore(model, { rows, types })).toMatchObject({ unseen: 12 });
    expect(await askComplete(model, { rows, types })).toMatchObject({
      rows: [{ completions: [{ shop: 'new 0' }] }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
    await expect(askScore(model, { rows, types: { amount: 'categorical' } })).rejects.toThrow(
      'ordered, as the model has it',
    );
  });

  test('are refused where most cells of a column are not read, with the place of the first', async () => {
    const rows = [{ amount: null }, { amount: 'much' }, { amount: 'little' }];
    await expect(askScore(model, { rows })).rejects.toThrow(
      /rows\.1\.amount: got "much" \(2 of 2 cells\), expected a number/,
    );
  });
});
