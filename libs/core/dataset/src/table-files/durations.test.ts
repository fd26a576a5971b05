import { expect, it } from 'vitest';
import { tableOfAll, rawTable } from '../table/columns.suite.js';
import { writeValue } from '../variables/cell-values.js';
import { fixture, readTable } from './opening.suite.js';

it.each(['durations.parquet', 'durations.feather'])('%s: durations come as pandas writes them', async (name) => {
  const read = await readTable(fixture(name));
  expect(read.columns).toEqual(['ride', 'wait', 'fine', 'count']);
  expect(read.rows).toEqual([
    ['0 days 00:12:30', '0 days 00:01:30', '0 days 00:00:00.000000001', 1],
    [null, null, null, null],
    ['1 days 02:30:00.500', '0 days 00:00:00', '1 days 00:00:00', 3],
    ['-1 days +23:59:30', '-1 days +23:59:59', '-1 days +23:59:59.999999999', 4],
  ]);
});

it('a column of them is ordered, and none is sampled on the other side of 0', async () => {
  const cells = Array.from({ length: 60 }, (_, row) => [
    `0 days 00:${String(row).padStart(2, '0')}:0${String(row % 7)}`,
  ]);
  const [ride] = (await tableOfAll(rawTable(['ride'], cells))).variables;
  expect(ride).toMatchObject({ kind: 'ordered', format: { type: 'duration', digits: 0 }, range: [0, 3543] });
  if (ride?.kind !== 'ordered') throw new Error('it is not ordered');
  expect(writeValue(ride.range[1], ride.format)).toBe('0 days 00:59:03');
  if (ride.measure === 'density') expect(ride.bounds).toEqual([0, null]);
});
