import { expect, onTestFinished, test } from 'vitest';
import { sourceOf } from '../bit-files/reading.suite.js';
import { encodeTable } from '../table/encode-table.js';
import { profileTable, tableOf } from '../table/infer-table.js';
import { openTable } from '../table-files/open-table.js';
import type { RawTable } from '../table-files/raw-table.js';
import { readAsTrained } from './find-readings.js';

const ROWS = 60;

async function opened(name: string, missing?: readonly string[]): Promise<RawTable> {
  const cells = Array.from({ length: ROWS }, (_, row) => ({
    age: row % 9 === 0 ? -999 : 20 + (row % 30),
    pays: row % 7 === 0 ? 'refused' : 'ny'[row % 2]!,
  }));
  const csv = `age,pays\n${cells.map(({ age, pays }) => `${String(age)},${pays}\n`).join('')}`;
  const text = name.endsWith('.csv') ? csv : cells.map((cell) => `${JSON.stringify(cell)}\n`).join('');
  const raw = await openTable(sourceOf(text, name), { missing });
  onTestFinished(() => raw.close());
  return raw;
}

test.each(['later.csv', 'later.jsonl'])('what was said to be missing at training is so in %s', async (name) => {
  const raw = await opened('trained.csv', ['', '-999', 'refused']);
  const table = await tableOf(raw, await profileTable(raw, {}), null, {});
  const codesOf = async (file: RawTable): Promise<Uint8Array> =>
    (await encodeTable(file, table, [ROWS]))[0]!.matrix.bytes;
  const { table: later, remarks } = await readAsTrained(await opened(name), table);
  expect(await codesOf(later)).toEqual(await codesOf(raw));
  expect(remarks).toEqual(['cells that say "-999", "refused" are missing values, as was said at training']);
});

test('a file of which it is said which cells are missing is read as is said', async () => {
  const raw = await opened('trained.csv', ['', '-999', 'refused']);
  const table = await tableOf(raw, await profileTable(raw, {}), null, {});
  const { table: later, remarks } = await readAsTrained(await opened('said.csv', ['', 'refused']), table);
  expect(remarks).toEqual([]);
  for await (const { columns } of later.batches()) expect(columns[0]!.at(0)).toBe('-999');
});
