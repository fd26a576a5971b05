import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchard, rowsIn, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const two = (part: number): string => String(part).padStart(2, '0');

/** Flights all day, some without a time; who flies in the morning is known by the carrier. */
const flights = Array.from({ length: 160 }, (_, row) => {
  const hour = (row % 2 === 0 ? 0 : 12) + ((row * 7) % 12);
  const departure = row % 11 === 3 ? '' : `${two(hour)}:${two((row * 23) % 60)}`;
  return [row % 2 === 0 ? 'early' : 'late', departure, `${two(hour)}:${two((row * 31) % 60)}:${two(row % 60)}.25`];
});
const csv = (rows: readonly (readonly string[])[]): string =>
  `carrier,departure,landed\n${rows.map((cells) => cells.join(',')).join('\n')}\n`;

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const FINE_TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d\d$/;

beforeAll(() => writeFileSync(at('flights.csv'), csv(flights)));

it('orchard describe says from when to when', async () => {
  const { stdout } = await orchard('describe', at('flights.csv'));
  expect(stdout).toMatch(/departure +ordered +\d+ +00:00 to 23:\d\d, \d+ bins/);
  const { stdout: said } = await orchard('describe', at('flights.csv'), '--type', 'departure=categorical');
  expect(said).toMatch(/departure +categorical/);
});

describe.each([
  ['tables', ['--rounds', '4']],
  ['chow-liu', ['--model', 'chow-liu']],
])('a model of times of day, %s', (name, words) => {
  const model = at(name);
  beforeAll(async () => {
    expect(await orchard('train', at('flights.csv'), ...words, '--quiet', '--out', model)).toMatchObject({ code: 0 });
  });

  it('draws times of a day in their formats, holes among them', async () => {
    const { stdout } = await orchard('sample', model, '--count', '400', '--out', '-', '--quiet');
    const rows = rowsIn(stdout);
    expect(rows).toHaveLength(400);
    for (const [, departure, landed] of rows) {
      if (departure !== '') expect(departure).toMatch(TIME);
      expect(landed).toMatch(FINE_TIME);
    }
    expect(rows.some(([, departure]) => departure === '')).toBe(true);
  });

  it('draws within what is given, over midnight too', async () => {
    const drawn = async (given: string): Promise<string[]> => {
      const { stdout } = await orchard('sample', model, '--count', '60', '--given', given, '--out', '-', '--quiet');
      return rowsIn(stdout).map(([, departure]) => departure!);
    };
    for (const time of await drawn('departure=08:00..09:30')) expect(time >= '08:00' && time <= '09:30').toBe(true);
    for (const time of await drawn('departure=22:00..|..02:00')) expect(time >= '22:00' || time <= '02:00').toBe(true);
    expect((await orchard('sample', model, '--given', 'departure=22:00..02:00')).stderr).toContain('22:00..|..02:00');
  });

  it('fills missing values by times, and says which cells are no times', async () => {
    writeFileSync(
      at('gaps.csv'),
      csv([
        ['early', '', '03:10:00.25'],
        ['late', '14:00', ''],
      ]),
    );
    const { stdout } = await orchard('complete', model, at('gaps.csv'), '--out', '-', '--quiet');
    const [[, departure], [, , landed]] = rowsIn(stdout) as [string[], string[]];
    expect(departure).toMatch(TIME);
    expect(landed).toMatch(FINE_TIME);
    writeFileSync(at('wrong.csv'), csv([['early', '24:00', '03:10:00.25']]));
    const { code, stderr } = await orchard('evaluate', model, at('wrong.csv'));
    expect(code).toBe(0);
    expect(stderr).toContain('1 cell that does not fit the column "departure", counted as missing');
  });
});
