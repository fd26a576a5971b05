import { Readable } from 'node:stream';
import { readTableSplits, openTable } from '@orchard/dataset';
import { emptyEnsemble, EnsembleBuilder, Network, untold, type TabularModel } from '@orchard/model';
import { treeOfRows } from '@orchard/registry';
import { expect, test, vi } from 'vitest';
import { askCheck } from './ask-check.js';
import { codesOf } from './work.js';

const line = (row: number): [string, string, number] => [
  ['red', 'green', 'blue'][row % 3]!,
  ['stop', 'go', 'wait'][row % 3]!,
  (row * 7) % 11,
];

/** Of each colour one word, and a number of its own. */
async function tree() {
  const text = `colour,word,n\n${Array.from({ length: 400 }, (_, row) => line(row).join(',')).join('\n')}\n`;
  const raw = await openTable({ name: 'rows.csv', bytes: Readable.from([Buffer.from(text)]) });
  const { train, valid } = await readTableSplits({ train: raw, valid: null, test: null }, { valid: 0.25 }, 1, {});
  await raw.close();
  return treeOfRows({ train, valid: valid!, test: null });
}

test('cells that do not fit their rows are found, and columns that have drifted', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => (row === 6 ? ['red', 'go', 3] : [...line(row).slice(0, 2), 3]));
  const { cells, drift, ...rest } = await askCheck(await tree(), { rows });
  expect(rest).toEqual({ rows: 40, falseAlarms: 0.005, remarks: [] });
  expect(cells.length).toBeGreaterThan(0);
  expect(cells.every(({ row }) => row === 7)).toBe(true);
  expect(drift.map(({ column }) => column)).toEqual(['n']);
});

test('the cell that does not fit is found in a single row too, where there are no others to tell what is usual', async () => {
  const { cells } = await askCheck(await tree(), { rows: [['red', 'go', 3]] });
  expect(cells.map(({ row, column }) => `${row} ${column}`)).toContain('1 word');
  expect((await askCheck(await tree(), { rows: [line(0)] })).cells).toEqual([]);
});

test('columns that say the group are right: others are found beside them', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => (row === 6 ? ['red', 'go', 3] : line(row)));
  const found = await askCheck(await tree(), { rows, givenColumns: ['colour'] });
  expect(found.cells.map(({ column }) => column)).not.toContain('colour');
  expect(found.cells.map(({ row, column }) => `${row} ${column}`)).toContain('7 word');
  await expect(askCheck(await tree(), { rows, givenColumns: ['color'] })).rejects.toThrow('Did you mean "colour"?');
});

test('of rows of 0 and 1 too', async () => {
  const trees = new EnsembleBuilder(1);
  trees.push({
    splitLeaf: Uint32Array.of(0),
    splitPredictor: Uint32Array.of(0),
    splitGain: Float64Array.of(1),
    leafFactor: Float64Array.of(1 / 500, 500),
  });
  const model = new Network({
    ...{ ensembles: [emptyEnsemble(1), trees.build()], ordering: Uint32Array.of(0, 1), names: ['a', 'b'] },
    ...{ shape: null, specification: null, likelihoods: untold },
  });
  const rows = Array.from({ length: 40 }, (_, row) => [row & 1, row === 6 ? 1 : row & 1]);
  const { cells } = await askCheck(model, { rows });
  expect(cells.every(({ row }) => row === 7)).toBe(true);
  expect(cells.map(({ column }) => column)).toContain('b');
});

test('what is no question is refused', async () => {
  const model = await tree();
  await expect(askCheck(model, { rows: [['red', 'stop', 1]], falseAlarms: 0 })).rejects.toThrow('falseAlarms');
  await expect(askCheck(model, { rows: [{ d: 1 }] })).rejects.toThrow('"d"');
});

/** The model, which seems to have so many trees that the cells of so many rows can be looked at in one question. */
function seemingOf(model: TabularModel, rows: number): TabularModel {
  const trees = Math.floor(5e9 / (rows * codesOf(model))) - 250 * model.variables;
  const ensembles = [{ leafCounts: { length: trees } }];
  return new Proxy(model, {
    has: (target, name) => name === 'ensembles' || name in target,
    get: (target, name) => {
      if (name === 'ensembles') return ensembles;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

test('of a model of many trees fewer rows are sampled, and the answer says how many', async () => {
  const model = seemingOf(await tree(), 400);
  const rows = Array.from({ length: 40 }, (_, row) => (row === 6 ? ['red', 'go', 3] : line(row)));
  const { cells, remarks } = await askCheck(model, { rows });
  expect(remarks).toEqual([expect.stringMatching(/^Of this model of \d+ trees 400 rows were sampled/)]);
  expect(cells.length).toBeGreaterThan(0);
  expect(cells.every(({ row }) => row === 7)).toBe(true);
});

test('more rows than its trees allow are refused with how many may be asked, and a model that is too large', async () => {
  const rows = Array.from({ length: 401 }, (_, row) => line(row));
  await expect(askCheck(seemingOf(await tree(), 400), { rows })).rejects.toThrow(
    /got 401 rows for a model of \d+ trees, whose \d+ codes are each tried, expected at most 400 rows of this model in one request. Send fewer rows at a time, or use `orchard check --baseline`/,
  );
  await expect(askCheck(seemingOf(await tree(), 300), { rows: [line(0)] })).rejects.toThrow(
    /expected a smaller model. Use `orchard check --baseline` with the model's file/,
  );
});

test('what a model samples is found once, however often it is asked', async () => {
  const model = await tree();
  const sample = vi.spyOn(model, 'sample');
  const answers = [await askCheck(model, { rows: [line(0)] }), await askCheck(model, { rows: [line(0)] })];
  expect(answers[1]).toEqual(answers[0]);
  // for the threshold, and for what has drifted
  expect(sample).toHaveBeenCalledTimes(2);
  await askCheck(model, { rows: [line(0)], falseAlarms: 0.1 });
  expect(sample).toHaveBeenCalledTimes(3);
});
