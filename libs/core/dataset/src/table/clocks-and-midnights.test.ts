import { describe, expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { rawTable, tableOfAll, variableOf } from './columns.suite.js';

const times = (count: number, cell: (row: number) => RawCell): RawCell[] =>
  Array.from({ length: count }, (_, row) => cell(row));

describe('clocks beyond 24 hours', () => {
  const worked = (row: number): string => `${String(5 + (row % 40))}:${String(10 + (row % 50))}:00`;

  test('are durations, with those beside them that could be times of day', async () => {
    for (const first of [0, 25])
      expect(await variableOf(times(120, (row) => worked(row + first)))).toMatchObject({
        kind: 'ordered',
        format: { type: 'duration', digits: 0, clock: { seconds: true, padded: false } },
        range: [expect.any(Number), 44 * 3600 + 49 * 60],
      });
  });

  test('without seconds are hours and minutes', async () => {
    const column = await variableOf(times(120, (row) => worked(row).slice(0, -3)));
    expect(column).toMatchObject({ format: { type: 'duration', digits: 0, clock: { seconds: false, padded: false } } });
  });

  test('are times of day where none is beyond, and durations all the same by the name of the column', async () => {
    const cells = times(120, (row) => `${String(row % 20)}:${String(10 + (row % 50))}:00`);
    expect(await variableOf(cells)).toMatchObject({ format: { type: 'time' } });
    const named = await tableOfAll(
      rawTable(
        ['call duration', 'kind'],
        cells.map((cell, row) => [cell, `k${String(row % 3)}`]),
      ),
    );
    expect(named.variables[0]).toMatchObject({ format: { type: 'duration' } });
  });
});

describe('midnights', () => {
  const day = (row: number): string => new Date(Date.UTC(2024, 0, 1 + ((row * 7) % 200))).toISOString().slice(0, 10);

  test.each(['T00:00:00', ' 00:00:00', ' 0:00', ' 12:00 AM', 'T00:00:00.000Z'])(
    'of all rows, written with %s, are days',
    async (midnight) => {
      expect(await variableOf(times(120, (row) => day(row) + midnight))).toMatchObject({
        format: { type: 'date', time: null, midnight },
      });
    },
  );

  test('are moments where one row has another time of day', async () => {
    const cells = times(120, (row) => `${day(row)} ${row === 70 ? '08:30' : '00:00'}:00`);
    expect(await variableOf(cells)).toMatchObject({ format: { type: 'date', time: { separator: ' ' } } });
  });

  test('behind days as 04/14/2024 are days too', async () => {
    const cells = times(120, (row) => `${day(row).slice(5, 7)}/${day(row).slice(8)}/2024 0:00`);
    expect(await variableOf(cells)).toMatchObject({
      format: { time: null, midnight: ' 0:00', written: { order: 'mdy' } },
    });
  });
});
