import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { refusalOf } from '../../bit-files/reading.suite.js';
import { openTable } from '../open-table.js';
import { fixture, fixturePath, readTable, spools, SURVEY_COLUMNS, SURVEY_ROWS } from '../opening.suite.js';

it.each(['lz4', 'zstd', 'plain'])('what pandas writes as Feather (%s) has the cells that pandas had', async (codec) => {
  const read = await readTable(fixture(`${codec}.feather`));
  expect(read).toMatchObject({ format: 'arrow', hasHeader: true, notes: [], columns: SURVEY_COLUMNS });
  expect(read.rows).toEqual(SURVEY_ROWS);
});

const TYPES = [
  [12.5, '2020-01-31', '1970-01-01T00:00:00', '2020-09-13T12:26:40Z', '08:30:00', 1.5, 255, '18446744073709551615'],
  [null, null, null, null, null, null, null, null],
  [-0.05, '1969-12-31', '1969-12-31T23:59:59.999999999', '1970-01-01T00:00:00Z', '00:00:00', null, 0, 7],
];

it.each(['types.feather', 'stream.arrows'])(
  '%s gives decimals, dates, times and holes of every batch',
  async (name) => {
    const read = await readTable(fixture(name));
    expect(read.columns).toEqual(['price', 'day', 'at', 'zoned', 'clock', 'float', 'byte', 'huge']);
    expect(read.rows).toEqual(TYPES);
  },
);

it.each(['types.feather', 'stream.arrows'])('%s may be zipped, and come only once', async (name) => {
  const zipped = gzipSync(readFileSync(fixture(name)));
  expect((await readTable(zipped, { name: 'upload', chunkBytes: 100 })).rows).toEqual(TYPES);
  expect(spools()).toEqual([]);
});

it('a column of lists comes empty, with what its cells are', async () => {
  const table = await openTable(fixturePath('nested.feather'));
  const at = table.columns.indexOf('tags');
  expect(table.unreadable).toEqual(new Map([[at, 'values of the type List<Utf8>']]));
  for await (const { columns } of table.batches()) expect(columns[at]).toHaveLength(0);
  await table.close();
});

it('a damaged file is refused', async () => {
  for (const name of ['lz4.feather', 'zstd.feather']) {
    const whole = readFileSync(fixture(name));
    for (const damaged of [whole.subarray(0, -30), whole.subarray(0, 12)])
      expect(await refusalOf(readTable(damaged, { name }))).toMatchObject({
        code: 'format',
        got: expect.stringContaining('an Arrow file that does not hold') as unknown,
        where: name,
      });
  }
});
