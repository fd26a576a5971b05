import { describe, expect, it } from 'vitest';
import type { RawBatch } from '../table-files/raw-table.js';
import { rawTable, tableOfAll } from '../table/columns.suite.js';
import { readAsTrained } from './find-readings.js';

const rows = (no: string, yes: string) =>
  rawTable(
    ['paid', 'size'],
    Array.from({ length: 40 }, (_, row) => [row % 3 === 0 ? no : yes, String(row % 7)]),
  );

describe('a column of truth values', () => {
  it.each([
    ['FALSE', 'TRUE'],
    ['f', 't'],
    ['no', 'yes'],
    ['FALSCH', 'WAHR'],
    ['FALSO', 'VERO'],
    ['0', '1'],
  ])('is read in the words %s and %s by a model of False and True, and written so', async (no, yes) => {
    const { table, readings } = await readAsTrained(rows(no, yes), await tableOfAll(rows('False', 'True')));
    const batches: RawBatch[] = [];
    for await (const batch of table.batches()) batches.push(batch);
    const [paid] = batches[0]!.columns;
    expect([paid!.at(0), paid!.at(1), readings[0]?.write('True')]).toEqual(['False', 'True', yes]);
  });

  it('stays as it is where other words are among them', async () => {
    const { readings } = await readAsTrained(rows('FALSCH', 'vielleicht'), await tableOfAll(rows('False', 'True')));
    expect(readings[0]).toBeNull();
  });
});
