import { expect, test } from 'vitest';
import { sourceOf } from '../bit-files/reading.suite.js';
import { openTable } from './open-table.js';
import { rowsOf } from './opening.suite.js';
import { NumberCells, RepeatedCells } from './raw-column.js';
import { BATCH_ROWS } from './raw-table.js';
import { tablesOfRows } from './selected-rows.js';

const words = ['red', 'blue', '', '"a, ""b"""', 'green'];
const lines = Array.from({ length: 5000 }, (_, row) =>
  [words[row % (row < 4000 ? 4 : 5)], (row * 0.37 - 900).toFixed(2), `text ${String(row)}`].join(','),
);
const text = `colour,number,word\n${lines.join('\n')}\n`;

test('tables of some rows have the cells of these rows, in columns of the same kinds', async () => {
  const raw = await openTable(sourceOf(text, 'x.csv'));
  const whole = await rowsOf(raw);
  let passes = 0;
  const counted: typeof raw = {
    ...raw,
    batches: (needed) => {
      passes++;
      return raw.batches(needed);
    },
  };
  const wanted = [Uint32Array.of(0, 3, 4999), Uint32Array.of(1023, 1024, 2048, 4004), new Uint32Array(0)];
  const tables = await tablesOfRows(counted, wanted);
  for (const [at, table] of tables.entries()) {
    const own = Array.from(wanted[at]!, (row) => whole[row]);
    expect(await rowsOf(table)).toEqual(own);
    // as often as is asked
    expect(await rowsOf(table)).toEqual(own);
  }
  expect(passes).toBe(1);
  const kindsIn = async (table: typeof raw): Promise<unknown[]> => {
    const kinds: unknown[] = [];
    for await (const { columns } of table.batches()) kinds.push(columns.map((column) => column.constructor));
    return kinds;
  };
  const kinds = await kindsIn(raw);
  const ofRows = new Set(Array.from(wanted[1]!, (row) => Math.floor(row / BATCH_ROWS)));
  expect(await kindsIn(tables[1]!)).toEqual([...ofRows].map((batch) => kinds[batch]));
  expect(new Set(kinds.flat())).toEqual(new Set([RepeatedCells, NumberCells, Array]));
  for await (const { columns } of tables[1]!.batches()) {
    // not the word that none of these rows has
    expect((columns[0] as RepeatedCells).words).toEqual(['red', 'a, "b"', 'green']);
  }
  await raw.close();
});
