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
    const file = rows('False', 'vielleicht');
    const { readings, remarks } = await readAsTrained(file, await tableOfAll(rows('False', 'True')));
    expect(readings[0]!.read('vielleicht')).toBe('vielleicht');
    expect(remarks[0]).toContain('of "paid" 26 of 40 cells are no labels of the training rows');
  });
});

it('numbers that labels of numbers stand for are read without a remark', async () => {
  const numbers = {
    ...rawTable(
      ['paid', 'size'],
      [0, 1, 1, 0].map((paid, row) => [paid, row]),
    ),
    format: 'arrow',
  } as const;
  const { readings, remarks } = await readAsTrained(numbers, await tableOfAll(rows('0.0', '1.0')));
  expect([readings[0]?.read(1), remarks]).toEqual(['1.0', []]);
});

const labelled = (format: 'csv' | 'parquet', labels: readonly string[], count = 30) => ({
  ...rawTable(
    ['kind', 'size'],
    Array.from({ length: count }, (_, row) => [labels[row % labels.length]!, String(row % 7)]),
  ),
  format,
});
const options = { types: { kind: 'categorical' } } as const;

describe('a text that marks a missing value in a CSV', () => {
  const trained = () => tableOfAll(labelled('csv', ['oak', 'fir', 'ash']), options);

  it.each(['NA', 'None', 'N/A', 'null', ''])('is a missing value in typed files too: %j', async (mark) => {
    const { table, readings, remarks } = await readAsTrained(
      labelled('parquet', ['oak', mark, 'fir']),
      await trained(),
    );
    const batches: RawBatch[] = [];
    for await (const batch of table.batches()) batches.push(batch);
    expect([0, 1, 2].map((row) => batches[0]!.columns[0]!.at(row))).toEqual(['oak', null, 'fir']);
    expect(readings[0]!.read('oak')).toBe('oak');
    expect(remarks).toEqual([
      `of "kind" 10 cells count as missing, as ${JSON.stringify(mark)}, which is not a label of the training rows`,
    ]);
  });

  it('is a label where it is one of the model', async () => {
    const table = await tableOfAll(labelled('parquet', ['oak', 'NA', 'fir']), options);
    expect((await readAsTrained(labelled('parquet', ['oak', 'NA', 'fir']), table)).readings[0]).toBeNull();
  });

  it('stays a text in a CSV, whose reader knows what was said to mark missing values', async () => {
    const { readings } = await readAsTrained(labelled('csv', ['oak', 'NA', 'fir']), await trained());
    expect(readings[0]).toBeNull();
  });
});

describe('a column without a label of the model', () => {
  const trained = () => tableOfAll(labelled('csv', ['female', 'male']), options);

  it('is refused with both forms', async () => {
    await expect(readAsTrained(labelled('csv', ['F', 'M']), await trained())).rejects.toMatchObject({
      code: 'value',
      got: '"F" and "M" (none of 30 cells is a label of the training rows)',
      expected: 'labels as in the training rows: "female", "male"',
    });
  });

  it.each([
    ['some labels are those of the model', labelled('csv', ['F', 'M', 'male']), '20 of 30'],
    ['there are a few rows', labelled('csv', ['F', 'M'], 5), '5 of 5'],
    ['it is one new label', labelled('csv', ['diverse']), '30 of 30'],
  ])('is reported where %s', async (_, file, count) => {
    const { readings, remarks } = await readAsTrained(file, await trained());
    expect(readings[0]!.read('F')).toBe('F');
    expect(remarks).toHaveLength(1);
    expect(remarks[0]).toContain(`of "kind" ${count} cells are no labels of the training rows`);
    expect(remarks[0]).toContain('where those have "female", "male"');
  });

  it('is read where it is said to be one of labels', async () => {
    expect((await readAsTrained(labelled('csv', ['F', 'M']), await trained(), options)).readings[0]).toBeNull();
  });
});
