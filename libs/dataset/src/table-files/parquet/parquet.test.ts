import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { refusalOf } from '../../reading.suite.js';
import { checkRefusal } from '../../refusals.suite.js';
import { fixture, readTable, spools, SURVEY_COLUMNS, SURVEY_ROWS } from '../opening.suite.js';

it.each(['snappy', 'zstd'])('what pandas writes (%s) has the cells that pandas had', async (codec) => {
  const read = await readTable(fixture(`${codec}.parquet`));
  expect(read).toMatchObject({ format: 'parquet', hasHeader: true, notes: [], columns: SURVEY_COLUMNS });
  expect(read.rows).toEqual(SURVEY_ROWS);
});

it('decimals, dates, times, unsigned numbers and holes come from every row group', async () => {
  const read = await readTable(fixture('types.parquet'));
  expect(read.columns).toEqual(['price', 'day', 'at', 'zoned', 'clock', 'float', 'byte', 'huge']);
  expect(read.rows).toEqual([
    [12.5, '2020-01-31', '1970-01-01T00:00:00', '2020-09-13T12:26:40Z', '08:30:00', 1.5, 255, '18446744073709551615'],
    [null, null, null, null, null, null, null, null],
    [-0.05, '1969-12-31', '1969-12-31T23:59:59.999999999', '1970-01-01T00:00:00Z', '00:00:00', null, 0, 7],
  ]);
});

it('is read without dictionaries and compression, zipped as a whole, and under other names', async () => {
  const rows = [
    [255, 12.5],
    [null, null],
    [0, -0.05],
  ];
  expect((await readTable(fixture('plain.parquet'))).rows).toEqual(rows);
  const zipped = gzipSync(readFileSync(fixture('plain.parquet')));
  expect(await readTable(zipped, { names: ['a', 'b'] })).toMatchObject({ rows, columns: ['a', 'b'] });
  expect(spools()).toEqual([]);
});

it('is refused with lists in a column, or damaged', async () => {
  checkRefusal(await refusalOf(readTable(fixture('nested.parquet'))), [
    'format',
    'lists or records',
    'in a cell',
    `${fixture('nested.parquet').pathname}, column "tags"`,
    'Leave the column out',
  ]);
  const whole = readFileSync(fixture('snappy.parquet'));
  for (const damaged of [whole.subarray(0, -20), whole.subarray(0, 8), Buffer.from(whole).fill(255, 4, 300)])
    expect(await refusalOf(readTable(damaged, { name: 'x.parquet' }))).toMatchObject({
      code: 'format',
      got: expect.stringContaining('a Parquet file that does not hold') as unknown,
      where: 'x.parquet',
    });
});
