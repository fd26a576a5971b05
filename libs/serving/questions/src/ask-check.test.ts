import { Readable } from 'node:stream';
import { readTableSplits, openTable } from '@orchard/dataset';
import { emptyEnsemble, EnsembleBuilder, Network, untold } from '@orchard/model';
import { treeOfRows } from '@orchard/registry';
import { expect, test } from 'vitest';
import { askCheck } from './ask-check.js';

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
