import type { OrderedVariable } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import type { DatasetError } from '../errors.js';
import type { RawCell } from '../table-files/raw-table.js';
import { rawTable, tableOfAll, variableOf } from './columns.suite.js';
import { KINDS, type Kind } from './inferred.js';

const times = (count: number, cell: (row: number) => RawCell): RawCell[] =>
  Array.from({ length: count }, (_, row) => cell(row));
const refusal = async (act: Promise<unknown>): Promise<DatasetError> => {
  try {
    await act;
  } catch (error) {
    return error as DatasetError;
  }
  throw new Error('nothing was refused');
};

const counts = 'it counts the rows';
const names = 'its texts are mostly distinct: names or free text';
const ordered = { kind: 'ordered' };
const number = (decimals: number, padded: boolean, places = decimals) => ({
  ...ordered,
  format: { type: 'number', decimals, places, padded },
});
const time = (separator: string, seconds: boolean, digits: number, zone: string) => ({
  ...ordered,
  format: { type: 'date', time: { separator, seconds, digits, zone } },
});

const clock = (seconds: boolean, digits: number) => ({ ...ordered, format: { type: 'time', seconds, digits } });

/** What a column is taken for: a kind, why it is left out, or more of the variable. */
const inferred: Readonly<Record<string, readonly [cells: readonly RawCell[], expected: string | object]>> = {
  'holes alone': [[null, null, null], 'it has no values'],
  'NaN alone': [[NaN, NaN], 'it has no values'],
  'numbers that count from 0': [times(30, String), counts],
  'typed numbers that count from 1': [times(30, (row) => row + 1), counts],
  'three numbers that count': [['4', '5', '6'], counts],
  'two numbers that count': [['0', '1'], { kind: 'binary', labels: ['0', '1'] }],
  'numbers that count halves': [times(30, (row) => `${String(row)}.5`), ordered],
  'numbers that count, with a hole': [['1', '2', null, '3', '4'], ordered],
  'numbers that count down': [times(30, (row) => String(30 - row)), ordered],
  'numbers that count by 2': [times(30, (row) => String(2 * row)), ordered],
  'thousands of numbers that count': [times(6000, (row) => String(row + 7)), counts],
  'numbers with a unit': [
    times(40, (row) => `${String(row * 7)} kg`),
    'its texts are mostly distinct and seem to be numbers of "kg", as "0 kg": numbers without a unit, the unit in the name of the column, are read as numbers',
  ],
  'numbers with several units': [times(40, (row) => `${String(row * 7)} ${row % 9 === 0 ? 'g' : 'kg'}`), names],
  'numbers beside a word in one cell of eight': [
    times(80, (row) => (row % 8 === 3 ? 'lost' : String(row * 7))),
    'its values are mostly distinct numbers, but 10 cells are not, as "lost"; if they mark missing values, say so beside the other marks',
  ],
  'numbers beside a space of the web': [
    times(80, (row) => (row % 8 === 3 ? '\u00a0' : String(row * 7))),
    { kind: 'ordered', holes: 10 },
  ],
  identifiers: [times(40, (row) => `ID-${String(row * 7)}`), names],
  'identifiers of which thousands are distinct': [times(9000, (row) => `ID-${String(row * 7)}`), names],
  'free text': [times(40, (row) => `the ${String(row % 30)}th answer`), names],
  'ten texts, all distinct': [times(10, (row) => `t${String(row)}`), { kind: 'categorical' }],
  'eleven texts, all distinct': [times(11, (row) => `t${String(row)}`), names],
  'texts of which half are distinct': [times(40, (row) => `t${String(row % 20)}`), { kind: 'categorical' }],
  'thousands of labels that come again': [
    times(20_000, (row) => `t${String(row % 3000)}`),
    { kind: 'categorical', others: 20_000 - 255 * 7 },
  ],
  'whole numbers': [times(30, (row) => String((row * row) % 17)), number(0, true)],
  'typed whole numbers': [times(30, (row) => (row * row) % 17), number(0, true)],
  decimals: [times(30, (row) => `${String(row % 7)}.25`), number(2, true)],
  'decimals without the zeros at their ends': [['1', '2.5', '3.25', '0.125'], number(3, false)],
  'whole numbers as pandas writes them beside holes': [['1.0', '12.0', null, '3.0'], number(1, true, 0)],
  'numbers with signs': [['+1', '-2', '3', '-4'], number(0, true)],
  'numbers with exponents': [['1e-3', '2.5E2', '3e+1', '.5'], number(3, false)],
  'numbers with a point and no digits': [['1.', '2.5', '3.5'], number(1, true)],
  'negative zero': [['-0', '0.5', '0', '1'], number(1, false)],
  'typed fractions': [[0.1, 0.25, 3, 7], number(2, false)],
  'typed big integers': [[2 ** 40, 2 ** 41, 5, 9], number(0, true)],
  'numbers of thousands of digits': [
    [`0.${'3'.repeat(4000)}`, '0.5', '0.25', '0.125'],
    { ...ordered, format: { decimals: 20 } },
  ],
  'numbers that are infinite': [['1e999', '2', '3', 'x'], { kind: 'categorical' }],
  'typed infinite numbers': [[Infinity, 2, 3, 4], { kind: 'ordered' }],
  'leading zeros': [['00501', '02139', '00501', '10001'], { kind: 'categorical', labels: ['00501', '02139', '10001'] }],
  'decimals below one': [['0.5', '0.25', '0.125'], number(3, false)],
  'yes and no': [['no', 'yes', 'yes', 'yes'], { kind: 'binary', labels: ['no', 'yes'], counts: [1, 3] }],
  'Yes and No': [['Yes', 'No', 'Yes'], { kind: 'binary', labels: ['No', 'Yes'] }],
  'True and False': [['True', 'False', 'False'], { kind: 'binary', labels: ['False', 'True'] }],
  'typed booleans': [[true, false, false], { kind: 'binary', labels: ['False', 'True'], counts: [2, 1] }],
  'booleans with holes': [[true, null, false, null], { kind: 'binary', holes: 2 }],
  'two other words': [['pear', 'apple', 'pear'], { kind: 'binary', labels: ['apple', 'pear'], counts: [1, 2] }],
  'two numbers': [['10', '9', '9', '9'], { kind: 'binary', labels: ['9', '10'], counts: [3, 1] }],
  'two typed numbers': [[1, 0, 0], { kind: 'binary', labels: ['0', '1'] }],
  'two dates': [['2024-05-01', '2023-01-01', '2024-05-01'], { kind: 'binary', labels: ['2023-01-01', '2024-05-01'] }],
  'one text': [['a', 'a', 'a'], { kind: 'categorical', labels: ['a'], counts: [3], others: 0 }],
  'one number': [['5', '5', '5'], { ...ordered, measure: 'mass', values: [5], edges: [] }],
  'one text and holes': [['a', null, 'a'], { kind: 'categorical', labels: ['a'], holes: 1 }],
  'words and numbers': [['1', 'a', '2', 'a', '1'], { kind: 'categorical', labels: ['1', 'a', '2'] }],
  days: [
    ['2020-02-29', '1969-12-31', '1970-01-01', '1899-12-31'],
    { ...ordered, format: { type: 'date', time: null }, range: [-25_568, 18_321] },
  ],
  'days that are on no calendar': [['2021-02-29', '2021-04-31', '2021-13-01', '2021-02-29'], { kind: 'categorical' }],
  minutes: [['2020-01-01T00:00', '2020-01-01T00:30', '2020-01-02T10:00'], time('T', false, 0, '')],
  seconds: [['2020-01-01 00:00:01', '2020-01-01 00:30:00', '2020-01-02 10:00:59'], time(' ', true, 0, '')],
  microseconds: [
    ['2020-01-01T00:00:01.5Z', '2020-01-01T00:00:01.000001Z', '2020-01-02T10:00:59.25Z'],
    time('T', true, 6, 'Z'),
  ],
  'times with a zone': [
    ['2020-01-01T08:00:00+01:00', '2020-06-01T00:00:00+01:00', '2020-06-02T00:00:00+01:00'],
    time('T', true, 0, '+01:00'),
  ],
  'times of two zones': [
    ['2020-01-01T00:00:00+01:00', '2020-06-01T00:00:00+02:00', '2020-06-02T00:00:00+02:00'],
    { ...time('T', true, 0, 'Z'), range: [1_577_833_200, 1_591_048_800] },
  ],
  'days among times': [['2020-01-01', '2020-01-01T10:00', '2020-01-02'], { kind: 'categorical' }],
  'hours beyond 23': [['2020-01-01T24:00', '2020-01-01T10:00', '2020-01-02T10:00'], { kind: 'categorical' }],
  'days and a word': [['2020-01-01', '2020-01-02', 'never'], { kind: 'categorical' }],
  'times of day': [
    ['08:12', '00:00', '23:59', '08:12'],
    { ...ordered, format: { type: 'time', seconds: false, digits: 0 }, range: [0, 86_340] },
  ],
  'times of day with seconds': [['08:12:33', null, '23:59:59', '00:00:01'], clock(true, 0)],
  'times of day with parts of seconds': [
    ['08:12:33', '23:59:59.999999', '00:00:01.5'],
    { ...clock(true, 6), range: [1_500_000, 86_399_999_999] },
  ],
  'two times of day': [['08:12', '07:30', '08:12'], { kind: 'binary', labels: ['07:30', '08:12'] }],
  'times of day with and without seconds': [['08:12', '08:12:33', '09:00'], { kind: 'categorical' }],
  'times of day among days': [['2020-01-01', '08:12', '2020-01-02'], { kind: 'categorical' }],
  'the end of a day': [['08:12', '24:00', '09:30'], { kind: 'categorical' }],
  'no time of any day': [['25:61', '08:12', '09:30'], { kind: 'categorical' }],
  'hours of one digit': [
    ['8:12', '9:30', '10:05'],
    { ...ordered, format: { ...clock(false, 0).format, clock: { padded: false, morning: '' } } },
  ],
  'halves of the day': [
    ['8:12 AM', '9:30 PM', '10:05 PM'],
    { ...ordered, format: { ...clock(false, 0).format, clock: { padded: false, morning: ' AM' } } },
  ],
  'hours to 12 and to 24': [['8:12 AM', '21:30', '10:05 PM'], { kind: 'categorical' }],
  'durations beyond a day': [['36:15:00', '08:15:00', '09:15:00'], { kind: 'categorical' }],
  'years of three digits': [['0999-01-01', '0101-05-05', '0100-01-01'], ordered],
};

test.each(Object.entries(inferred))('%s', async (_, [cells, expected]) => {
  const variable = await variableOf(cells);
  if (typeof expected === 'string') expect(variable).toBe(expected);
  else expect(variable).toMatchObject(expected);
});

test('an index column says where its count begins, for rows that are drawn', async () => {
  const table = await tableOfAll(
    rawTable(
      ['', 'x'],
      times(6000, String).map((cell) => [cell, cell === '3' ? 'a' : 'b']),
    ),
  );
  expect(table.leftOut).toEqual([{ name: '', why: counts, countsFrom: 0 }]);
  expect(table.columns).toEqual(['', 'x']);
});

test('labels are told apart up to the most that are asked for, the most frequent first, ties as they come', async () => {
  const cells = times(3000, (row) => `t${String(row % 300)}`);
  expect(await variableOf(cells)).toMatchObject({ counts: new Array(255).fill(10), others: 450 });
  expect(await variableOf([...cells, 't299', 't298', 't298'], { maxCategories: 3 })).toMatchObject({
    labels: ['t298', 't299', 't0'],
    counts: [12, 11, 10],
    others: 2970,
  });
});

test('words among so many numbers that they must be mistakes are missing values, and said', async () => {
  const cells = times(100, (row) => (row === 66 ? 'n/k' : row === 80 ? 'inf' : String(row * 3)));
  const notes: string[] = [];
  const table = await tableOfAll(
    rawTable(
      ['x'],
      cells.map((cell) => [cell]),
    ),
    { onNote: (note) => notes.push(note) },
  );
  expect(table.variables).toMatchObject([{ name: 'x', kind: 'ordered', holes: 2, range: [0, 297] }]);
  const how = '1 cell is not read as numbers, as "n/k" in row 67: missing; 1 cell counts as missing, as "inf"';
  expect(table.mended).toEqual([{ name: 'x', how }]);
  expect(notes).toEqual([`of "x" ${how}`]);
  expect(await variableOf(cells, { types: { x: 'categorical' } })).toMatchObject({ kind: 'categorical' });
});

test('labels that are numbers with a unit are reported, with the way to have them as numbers', async () => {
  const howOf = async (text: (row: number) => string): Promise<string | undefined> => {
    const rows = times(60, text).map((cell) => [cell]);
    return (await tableOfAll(rawTable(['x'], rows))).mended?.[0]?.how;
  };
  expect(await howOf((row) => `${String(165 + (row % 5))}${row % 3 === 0 ? ' CM' : 'cm'}`)).toBe(
    'texts as "165 CM" are labels; if they are numbers of "CM", write them without it, the unit in the name of the column',
  );
  // places, names, and units that differ
  for (const other of [
    (row: number) => `${String(4 + (row % 5))}th`,
    (row: number) => `${String(2 + (row % 2))}D`,
    (row: number) => `${String(1 + (row % 5))}${row % 2 === 0 ? 'A' : 'B'}`,
  ])
    expect(await howOf(other)).toBeUndefined();
});

test('the name of a column among its numbers is refused: two files were put together', async () => {
  const error = await refusal(variableOf(times(100, (row) => (row === 66 ? 'x' : String(row * 3)))));
  expect(error).toMatchObject({ code: 'header', got: 'the name of the column as its value in row 67' });
});

test('zip codes that are mostly distinct are left out as codes, and not as numbers that cannot be read', async () => {
  const zips = times(200, (row) => String(row * 391 + 501).padStart(5, '0'));
  expect(await variableOf(zips)).toBe(
    'its values are codes, as "00501", and mostly distinct: digits that begin with a zero are not read as numbers',
  );
});

test('of a zip code every digit is kept: digits of which some begin with a zero are labels', async () => {
  const zips = times(200, (row) => String(((row * 37) % 60) * 391 + 501).padStart(5, '0'));
  expect(await variableOf(zips)).toMatchObject({ kind: 'categorical', others: 0 });
});

test('an identifier that rises from row to row is left out, and a measurement that rises is not', async () => {
  const rising = Array.from({ length: 40 }, (_, row): RawCell[] => [
    String(1000 + 7 * row + (row % 3)),
    row % 2 === 0 ? 'a' : 'b',
  ]);
  for (const name of ['id', 'customer_id', 'customerId', 'ID', 'invoice no']) {
    const { leftOut } = await tableOfAll(rawTable([name, 'side'], rising));
    expect(leftOut).toEqual([{ name, why: 'it numbers the rows: its numbers rise, and none comes twice' }]);
  }
  for (const name of ['time', 'paid', 'grid', 'void']) {
    const { variables } = await tableOfAll(rawTable([name, 'side'], rising));
    expect(variables).toMatchObject([{ name, kind: 'ordered' }, { name: 'side' }]);
  }
});

test('with strict, words among so many numbers that one of both must be a mistake are refused, with the remedy', async () => {
  const cells = times(100, (row) => (row === 66 ? 'n/k' : String(row * 3)));
  const error = await refusal(variableOf(cells, { strict: true }));
  expect(error).toMatchObject({ code: 'value', got: '"n/k" in row 67 and 99 numbers in 100 cells' });
  expect(error.where).toBe('x.csv, column "x"');
  expect(error.remedy).toMatch(/marks a missing value.*is categorical/);
  expect(await variableOf(cells, { types: { x: 'categorical' } })).toMatchObject({ kind: 'categorical' });
});

describe('dates', () => {
  const day = (row: number): string => new Date(86_400_000 * (18_000 + row)).toISOString().slice(0, 10);
  const at = (row: number, zone: string): string => `${day(row)}T08:30:00${zone}`;
  const odd: Readonly<Record<string, readonly [(row: number) => RawCell, string, RegExp]>> = {
    'of which one is a word': [
      (row) => (row === 66 ? 'n/k' : day(row)),
      '"n/k" in row 67 and 299 dates in 300 cells',
      /^dates or labels$/,
    ],
    'of which the first is a word': [
      (row) => (row === 0 ? 'n/k' : day(row)),
      '"n/k" in row 1 and 299 dates in 300 cells',
      /labels/,
    ],
    'of which one is on no calendar': [
      (row) => (row === 7 ? '2021-02-30' : day(row)),
      '"2021-02-30" in row 8 and 299 dates in 300 cells',
      /labels/,
    ],
    'of which one is a number': [
      (row) => (row === 9 ? 20_210_230 : day(row)),
      '"20210230" in row 10 and 299 dates in 300 cells',
      /labels/,
    ],
    'of which one is a word, behind holes': [
      (row) => (row < 5 ? null : row === 66 ? 'n/k' : day(row)),
      '"n/k" in row 67 and 294 dates in 295 cells',
      /labels/,
    ],
    'in two zones': [
      (row) => at(row, row % 200 < 100 ? '+01:00' : '+02:00'),
      `"${at(100, '+02:00')}" in row 101, written as YYYY-MM-DDThh:mm:ss+02:00`,
      /one zone.*YYYY-MM-DDThh:mm:ss\+01:00$/,
    ],
    'with and without times': [
      (row) => (row === 30 ? at(row, '') : day(row)),
      `"${at(30, '')}" in row 31, written as YYYY-MM-DDThh:mm:ss`,
      /one format.*YYYY-MM-DD$/,
    ],
    'with and without seconds': [
      (row) => (row === 30 ? `${day(row)} 08:30` : `${day(row)} 08:30:00.25`),
      `"${day(30)} 08:30" in row 31, written as YYYY-MM-DD hh:mm`,
      /YYYY-MM-DD hh:mm:ss\.ff$/,
    ],
  };
  const minute = (row: number): string => `${two(6 + (row % 17))}:${two(row % 60)}`;
  const two = (part: number): string => String(part).padStart(2, '0');
  const oddTimes: typeof odd = {
    'times of which one is a word': [
      (row) => (row === 66 ? 'n/k' : minute(row)),
      '"n/k" in row 67 and 299 times in 300 cells',
      /^times of day from 00:00 to 23:59, written as 08:30, .*or labels$/,
    ],
    'times of which the first is a word': [
      (row) => (row === 0 ? 'n/k' : minute(row)),
      '"n/k" in row 1 and 299 times in 300 cells',
      /labels/,
    ],
    'times of which one is of no day': [
      (row) => (row === 7 ? '24:00' : minute(row)),
      '"24:00" in row 8 and 299 times in 300 cells',
      /labels/,
    ],
    'times with and without seconds': [
      (row) => (row === 30 ? '08:30:00' : minute(row)),
      '"08:30:00" in row 31, written as hh:mm:ss',
      /^times of day in one format: .*hh:mm$/,
    ],
    'times of which one is a date': [
      (row) => (row === 30 ? '2026-01-31' : minute(row)),
      '"2026-01-31" in row 31, written as YYYY-MM-DD',
      /^times of day in one format: .*hh:mm$/,
    ],
  };
  test.each(Object.entries({ ...odd, ...oddTimes }))(
    '%s among hundreds are read, the odd one missing or in UTC; with strict they are refused, with the odd one and its row',
    async (_, [cell, got, expected]) => {
      const cells = times(300, cell);
      for (const types of [{}, { x: 'ordered' } as const]) {
        expect(await variableOf(cells, { types })).toMatchObject({ kind: 'ordered' });
        const error = await refusal(variableOf(cells, { types, strict: true }));
        expect(error).toMatchObject({ code: 'value', got, where: 'x.csv, column "x"' });
        expect(error.expected).toMatch(expected);
        expect(error.remedy).toMatch(/is categorical/);
      }
      expect(await variableOf(cells, { types: { x: 'categorical' } })).toMatchObject({ kind: 'categorical' });
      expect(await variableOf(cells, { types: { x: 'excluded' } })).toBe('it was excluded');
    },
  );

  test('are labels where few are distinct, and texts where one in ten is no date', async () => {
    expect(await variableOf(times(300, (row) => (row === 66 ? 'n/k' : day(row % 15))))).toMatchObject({
      kind: 'categorical',
    });
    expect(await variableOf(times(300, (row) => (row % 10 === 0 ? `note ${String(row)}` : day(row))))).toBe(names);
  });
});

test('of times as 8:75:00 that are left out it is said how times are written', async () => {
  const cells = times(120, (row) => `${String(row % 30)}:${String(60 + (row % 40))}:0${String(row % 10)}`);
  expect(await variableOf(cells)).toMatch(
    /seem to be times, as ".*": only times of day from 00:00 to 23:59, written as 08:30, .* are read as times$/,
  );
});

test('a file without rows is refused', async () => {
  expect(await refusal(variableOf([]))).toMatchObject({ code: 'empty', got: 'no rows' });
});

test('a file of which nothing is left to learn is refused with why each column is left out', async () => {
  const raw = rawTable(
    ['n', 'holes'],
    times(5, String).map((cell) => [cell, null]),
  );
  const error = await refusal(tableOfAll(raw));
  expect(error).toMatchObject({ code: 'column', got: `"n": ${counts}; "holes": it has no values` });
  expect((await tableOfAll(raw, { types: { n: 'ordered' } })).variables).toHaveLength(1);
});

describe('what is said of a column counts', () => {
  const samples: Readonly<Record<string, readonly RawCell[]>> = {
    numbers: times(50, (row) => String(row % 7)),
    counting: times(50, String),
    days: times(50, (row) => `2020-01-${String(1 + (row % 28)).padStart(2, '0')}`),
    'times of day': times(50, (row) => `08:${String(row % 60).padStart(2, '0')}`),
    words: times(50, (row) => `w${String(row % 5)}`),
    'distinct words': times(50, (row) => `w${String(row)}`),
    'two words': times(50, (row) => (row % 3 === 0 ? 'a' : 'b')),
    'two numbers': times(50, (row) => (row % 3 === 0 ? 1 : 0)),
    booleans: times(50, (row) => row % 3 === 0),
    constant: times(50, () => 'a'),
    'one row': ['5'],
  };
  const refused = new Set([
    'words ordered',
    'distinct words ordered',
    'two words ordered',
    'booleans ordered',
    'constant ordered',
    ...['numbers', 'counting', 'days', 'times of day', 'words', 'distinct words'].map((name) => `${name} binary`),
  ]);
  const cases = Object.keys(samples).flatMap((name) => KINDS.map((kind): [string, Kind] => [name, kind]));
  test.each(cases)('%s as %s', async (name, kind) => {
    const made = variableOf(samples[name]!, { types: { x: kind } });
    if (refused.has(`${name} ${kind}`)) {
      const error = await refusal(made);
      expect(error).toMatchObject({ code: 'value', where: 'x.csv, column "x"' });
      expect(error.remedy).toMatch(/./);
    } else if (kind === 'excluded') expect(await made).toBe('it was excluded');
    else if (kind === 'binary' && (name === 'constant' || name === 'one row'))
      expect(await made).toMatchObject({ kind: 'categorical', labels: [samples[name]![0]] });
    else expect(await made).toMatchObject({ kind });
  });

  test('but of no column that is not there', async () => {
    const error = await refusal(variableOf(['1', '2'], { types: { sida: 'ordered' } }));
    expect(error).toMatchObject({ code: 'column', got: 'the column "sida"' });
    expect(error.remedy).toMatch(/"side"/);
  });
});

test('dates of a column are counted in days or in the finest part that is written', async () => {
  const days = (await variableOf(['1970-01-02', '1969-12-31', '2000-03-01'])) as OrderedVariable;
  expect(days.values).toEqual([null, null].length === days.values.length ? [null, null] : days.values);
  expect(days.range).toEqual([-1, 11_017]);
  const halves = (await variableOf([
    '1970-01-01T00:00:00.5',
    '1970-01-01T00:00:01',
    '1969-12-31T23:59:59.29',
  ])) as OrderedVariable;
  expect(halves.range).toEqual([-71, 100]);
});
