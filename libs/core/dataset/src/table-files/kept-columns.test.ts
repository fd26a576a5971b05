import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { sourceOf } from '../bit-files/reading.suite.js';
import { keptTable } from './kept-columns.js';
import { openTable } from './open-table.js';
import { rowsOf, spools } from './opening.suite.js';
import { NumberCells, RepeatedCells } from './raw-column.js';
import type { RawTable } from './raw-table.js';

const opened: RawTable[] = [];
afterEach(async () => {
  for (const table of opened.splice(0)) await table.close();
});

/** A text that is opened, and how often it is cut into cells. */
async function open(text: string, name = 'x.csv'): Promise<{ raw: RawTable; passes: () => number }> {
  const table = await openTable(sourceOf(text, name));
  opened.push(table);
  let passes = 0;
  const batches = (needed?: ReadonlySet<number>): ReturnType<RawTable['batches']> => {
    passes++;
    return table.batches(needed);
  };
  return { raw: { ...table, batches }, passes: () => passes };
}

const cells: readonly ((row: number) => string)[] = [
  (row) => ['red', 'blue', '', 'NA', '"a, ""b"""'][row % 5]!,
  (row) => (row * 0.37 - 900).toFixed(2),
  (row) => String(row * 7919),
  (row) => `text ${row} Århus`,
  (row) => (row % 3000 === 2999 ? ['-0', '007', '1e3', '7.', '.5', '+3'][row % 6]! : (row / 8).toFixed(row % 4)),
  (row) => (row % 50 === 0 ? '' : String(row / 16)),
];

function csv(rows: number, columns: readonly ((row: number) => string)[]): string {
  const lines = Array.from({ length: rows }, (_, row) => columns.map((cell) => cell(row)).join(','));
  return `${columns.map((_, column) => `c${column}`).join(',')}\n${lines.join('\n')}\n`;
}

describe('a kept table', () => {
  test('is cut into cells once, and each pass has the cells of the file', async () => {
    const { raw, passes } = await open(csv(20_000, cells));
    const kept = keptTable(raw);
    const first = await rowsOf(kept);
    expect(first[2999]!.slice(0, 2)).toEqual(['a, "b"', '209.63']);
    expect([first[2]![0], first[3]![0], first[50]![5]]).toEqual([null, null, null]);
    for (let row = 0; row < 20_000; row += 37)
      expect(first[row]!.slice(1, 5)).toEqual(cells.slice(1, 5).map((cell) => cell(row)));
    expect(await rowsOf(kept)).toEqual(first);
    expect(await rowsOf(kept)).toEqual(first);
    expect(passes()).toBe(1);
    await kept.discard();
  });

  test('keeps columns that repeat as places, and those of numbers as numbers', async () => {
    const { raw } = await open(csv(20_000, cells));
    let last: unknown[] = [];
    for await (const { columns } of raw.batches()) last = [...columns];
    expect(last[0]).toBeInstanceOf(RepeatedCells);
    expect(last[1]).toBeInstanceOf(NumberCells);
    expect(last[2]).toBeInstanceOf(NumberCells);
    expect(last[3]).toBeInstanceOf(Array);
    expect(last[5]).toBeInstanceOf(NumberCells);
  });

  test('that is much lies in a temporary file until it is discarded', async () => {
    const before = spools().length;
    const { raw, passes } = await open(
      csv(
        30_000,
        Array.from({ length: 40 }, () => cells[1]!),
      ),
    );
    const kept = keptTable(raw);
    const first = await rowsOf(kept);
    expect(spools().length).toBe(before + 2);
    expect(await rowsOf(kept)).toEqual(first);
    expect(passes()).toBe(1);
    await kept.discard();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('orchard-table-'))).toHaveLength(before + 1);
  });

  test('keeps nothing of a pass that was broken off', async () => {
    const { raw, passes } = await open(csv(5000, cells));
    const kept = keptTable(raw);
    for await (const { rows } of kept.batches()) if (rows > 0) break;
    expect((await rowsOf(kept)).length).toBe(5000);
    expect(passes()).toBe(2);
  });

  test('comes with the columns that are asked for, the others empty', async () => {
    const { raw } = await open('a,b\n1,x\n2,y\n');
    const kept = keptTable(raw);
    await rowsOf(kept);
    for await (const { columns } of kept.batches(new Set([1]))) {
      expect([columns[0]!.length, columns[1]!.at(0), columns[1]!.at(1)]).toEqual([0, 'x', 'y']);
    }
  });
});
