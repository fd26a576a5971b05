import type { OrderedVariable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { cellOf, Encoder, stepOf } from '../variables/cell-values.js';
import { checkTable } from '../variables/check-table.js';
import { codeBits, codeCount, otherCode, valueCount, writeCode } from '../variables/codes.js';
import { drawIn, isNewNumber, logDensityIn, meanOfCode, shareIn } from '../variables/density.js';
import { PieceDensities } from '../variables/pieces.js';
import { orderedOf } from './columns.suite.js';
import { valuesOf } from './write-table.js';
import { BitMatrix } from '../rows/bit-matrix.js';

const stream = new RandomStream(3, 1000);
const normal = (): number => {
  let sum = -6;
  for (let term = 0; term < 12; term++) sum += stream.uniform();
  return sum;
};
const many = (count: number, draw: (row: number) => RawCell): RawCell[] =>
  Array.from({ length: count }, (_, row) => draw(row));
const day = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);

/** Columns as they come, and as they hardly ever do. */
const columns: Readonly<Record<string, readonly RawCell[]>> = {
  'measurements of two decimals': many(3000, () => normal().toFixed(2)),
  'measurements in full precision': many(3000, () => String(normal() * 1e-3)),
  'typed floats': many(2000, () => normal()),
  'whole numbers from a wide range': many(3000, () => String(stream.below(1_000_000))),
  'rain: mostly 0': many(2000, () => (stream.below(3) > 0 ? '0.0' : (stream.uniform() * 40).toFixed(1))),
  'heavy values at both ends': many(
    2000,
    () => ['1', '99', String(1 + stream.below(99) + stream.uniform())][stream.below(3)]!,
  ),
  'heavy values side by side': many(3000, () =>
    String(stream.below(2) === 0 ? 100 + stream.below(4) : stream.below(5000)),
  ),
  'heavy values nearer than the grid is fine': many(
    2000,
    (row) => ['0', '1', '1.0000001', '1.0000002', String(row)][row % 5]!,
  ),
  'prices: skewed': many(3000, () => String(Math.round(Math.exp(6 + 2 * normal())))),
  'three values, each once': ['1', '2', '3'],
  'three numbers of few rows': ['1.5', '2.5', '2.5', '9', '9', '9'],
  'numbers of 1e300': many(300, (row) => `${String((row * 7) % 289)}.5e297`),
  'numbers of 1e-300': many(300, (row) => `${String((row * 7) % 289)}.5e-300`),
  'numbers of both': many(300, (row) =>
    (row % 2 === 0 ? `${String(row)}e300` : `-${String(row)}e-300`).replace(/\d+e300/, `${String(row / 300)}e300`),
  ),
  'denormal numbers': many(100, (row) => `${String(row)}e-322`),
  'neighbours among floats': many(400, (row) => 1 + (row % 350) * 2 ** -52),
  'whole numbers beyond 2^53': many(400, (row) => String(2n ** 60n + 256n * BigInt(row % 390))),
  'all equal but one': many(500, (row) => (row === 77 ? '5.25' : '3')),
  'all equal but two': many(500, (row) => (row === 77 ? '5.25' : row === 78 ? '1e9' : '3')),
  'negative numbers with exponents': many(500, () => `-${String(stream.uniform())}E-5`),
  'numbers with both zeros': many(400, (row) => (row % 4 === 0 ? '-0' : row % 4 === 1 ? '0' : String(row))),
  'days before and after 1970': many(1000, () => day(stream.below(40_000) - 20_000)),
  'few days': many(12, (row) => day(row * row)),
  'days near the end of the calendar': many(300, (row) => (row % 3 === 0 ? '9999-12-31' : day(row * 11))),
  'minutes with a zone': many(
    900,
    () => `${day(stream.below(900))}T${String(stream.below(24)).padStart(2, '0')}:30+01:00`,
  ),
  'seconds with digits': many(900, () => `1970-01-01 00:00:${(stream.uniform() * 59).toFixed(3).padStart(6, '0')}`),
  'an atom at the end of measurements': many(2000, (row) =>
    row % 4 === 0 ? '100' : (stream.uniform() * 100).toFixed(3),
  ),
  'two atoms side by side': many(2000, (row) => [(stream.uniform() * 9).toFixed(4), '5', '5.0001'][row % 3]!),
  'a lattice beside single values': many(3000, (row) =>
    row % 3 === 0 ? normal().toFixed(5) : (stream.below(400) / 8).toFixed(3),
  ),
  'a heavy value far from the others': many(500, (row) => (row % 9 === 0 ? '1e300' : normal())),
  'three rows': ['1.5', '2.25', '9'],
  'atoms of 200 numbers': many(2000, (row) => String((row * row) % 199)),
};

const names = Object.keys(columns);
/** Codes of cells that hold many values, atoms excepted. */
const cellsOnly = (variable: OrderedVariable): number[] => [...variable.values.keys()];
const isBound = ({ bounds }: OrderedVariable, value: number): boolean => bounds?.includes(value) === true;
const codes = (variable: OrderedVariable): number[] => Array.from({ length: valueCount(variable) }, (_, code) => code);

describe.each(names)('%s', (name) => {
  const cells = columns[name]!;

  test('become cells with ascending edges, that are checked and hold their values', async () => {
    const variable = await orderedOf(cells);
    variable.edges.forEach((edge, at) => {
      expect(Number.isFinite(edge)).toBe(true);
      if (at > 0) expect(edge).toBeGreaterThan(variable.edges[at - 1]!);
    });
    variable.values.forEach((value, code) => {
      if (value !== null) expect([code, cellOf(variable, value)]).toEqual([code, code]);
    });
    const table = { variables: [variable], leftOut: [], columns: ['x'], missing: '' };
    const said = JSON.parse(JSON.stringify({ table, tailNats: [0] })) as unknown;
    expect(checkTable(said, codeBits(variable)).table).toEqual(table);
    expect(variable.values.length).toBeLessThanOrEqual(256 + 1);
    expect(variable.atoms?.values.length ?? 0).toBeLessThanOrEqual(64);
  });

  test('are counted by cell as they are encoded', async () => {
    const variable = await orderedOf(cells);
    const encoder = new Encoder(variable);
    const counts = new Array<number>(codeCount(variable)).fill(0);
    for (const cell of cells) counts[encoder.code(cell!, encoder.value(cell!))!]!++;
    expect(counts.slice(0, valueCount(variable))).toEqual([...variable.counts, ...(variable.atoms?.counts ?? [])]);
    if (otherCode(variable) !== null) expect(counts[otherCode(variable)!]).toBe(0);
    expect(
      variable.cuts.every(
        (cut, at) => cut >= 1 && cut < variable.values.length && (at === 0 || cut > variable.cuts[at - 1]!),
      ),
    ).toBe(true);
    expect(variable.cuts.length).toBeLessThanOrEqual(255);
  });

  test('have a density that is finite everywhere and integrates to 1 in every cell', async () => {
    const variable = await orderedOf(cells);
    if (variable.measure === 'mass') {
      // the codes' probabilities sum to 1; that of "other" is shared out among gaps, and geometrically on both sides
      const step = stepOf(variable);
      const [least, greatest] = variable.range;
      const other = (value: number): number => Math.exp(logDensityIn(variable, otherCode(variable)!, value));
      const gaps = Math.round((greatest - least) / step) + 1 - variable.values.length;
      const beyond = (end: number, away: number): number => {
        const [first, second] = [other(end + away), other(end + 2 * away)];
        return first / (1 - second / first);
      };
      const inner = gaps > 0 ? gaps * other(least / 2 + greatest / 2) : 0;
      expect(inner + beyond(greatest, step) + beyond(least, -step)).toBeCloseTo(1, 5);
      // read as the nearest value, they have the share of half a row, whichever value that is
      for (const value of [least - 3 * step, greatest + 3 * step, ...variable.edges]) {
        const code = cellOf(variable, value);
        if (!isNewNumber(variable, code, value)) continue;
        const asNearest = Math.exp(logDensityIn(variable, code, value)) * (variable.counts[code]! + 0.5);
        expect(asNearest / (other(value) / 2)).toBeCloseTo(1, 9);
      }
      return;
    }
    const { borders } = variable.pieces!;
    const mass = new Float64Array(variable.values.length);
    borders.slice(1).forEach((to, at) => {
      const [from, middle] = [borders[at]!, borders[at]! / 2 + to / 2];
      const code = cellOf(variable, from);
      expect(cellOf(variable, middle)).toBe(code);
      mass[code]! += Math.exp(logDensityIn(variable, code, middle) + Math.log(to - from));
    });
    // exponential: as much as the density at the end, a scale wide
    const last = variable.edges.length;
    const [low, high] = variable.tails!;
    mass[0]! += Math.exp(logDensityIn(variable, 0, borders[0]! - low) + 1 + Math.log(low));
    mass[last]! += Math.exp(logDensityIn(variable, last, borders.at(-1)! + high) + 1 + Math.log(high));
    for (const each of mass) expect(Math.abs(each - 1)).toBeLessThan(1e-6);
    variable.atoms?.values.forEach((value, at) => {
      expect(logDensityIn(variable, variable.values.length + at, value)).toBe(0);
    });
    const nats = new Float64Array(1);
    for (const value of [-1e300, -1e9, 0, 1e-300, 1, 1e9, 1e300, ...variable.edges, ...borders]) {
      // a column that is read at once finds cell and density together
      expect(PieceDensities.of(variable).codeAndNats(value, nats, 0)).toBe(cellOf(variable, value));
      expect(nats[0]).toBe(logDensityIn(variable, cellOf(variable, value), value));
      expect(Number.isFinite(nats[0])).toBe(true);
    }
  });

  test('are drawn and written so that they are read back to the same code', async () => {
    const variable = await orderedOf(cells);
    const table = { variables: [variable], leftOut: [], columns: ['x'], missing: '' };
    const drawn = codes(variable);
    const times = 40;
    const bits = BitMatrix.create(drawn.length * times, codeBits(variable));
    drawn.forEach((code) => {
      for (let time = 0; time < times; time++) writeCode(bits, code * times + time, 0, codeBits(variable), code);
    });
    const encoder = new Encoder(variable);
    valuesOf(bits, table, 5)[0]!.forEach((text, row) => {
      // behind the last day of the calendar is a cell that has no dates
      if (text === '9999-12-31') return;
      const value = encoder.value(text!);
      // a cell that lies beyond a bound is drawn at it
      if (isBound(variable, value)) return;
      expect([text, encoder.code(text!, value)]).toEqual([text, Math.floor(row / times)]);
    });
    if (variable.measure === 'density')
      for (const code of cellsOnly(variable))
        for (const uniform of [2 ** -53, 0.5, 1]) {
          const value = drawIn(variable, code, uniform);
          const [least, greatest] = variable.bounds ?? [null, null];
          expect(value >= (least ?? -Infinity) && value <= (greatest ?? Infinity)).toBe(true);
          if (!isBound(variable, value))
            expect([code, uniform, value, cellOf(variable, value)]).toEqual([code, uniform, value, code]);
        }
    for (const code of cellsOnly(variable)) expect(cellOf(variable, meanOfCode(variable, code))).toBe(code);
  });

  test('are shared out wholly among intervals', async () => {
    const variable = await orderedOf(cells);
    const own = [...variable.values, ...(variable.atoms?.values ?? [])].filter((value) => value !== null);
    const cuts = [-Infinity, ...variable.edges.filter((edge, at) => at % 5 === 1 && !own.includes(edge)), Infinity];
    for (const code of codes(variable)) {
      let sum = 0;
      for (let at = 1; at < cuts.length; at++) sum += shareIn(variable, code, cuts[at - 1]!, cuts[at]!);
      expect(sum).toBeCloseTo(1, 12);
    }
  });
});

test('values that are heavier than their neighbours are atoms, few distinct ones masses', async () => {
  const rain = await orderedOf(columns['rain: mostly 0']!);
  expect(rain.measure).toBe('density');
  expect(rain.atoms?.values).toEqual([0]);
  expect(rain.bounds).toEqual([0, null]);
  const both = await orderedOf(columns['heavy values at both ends']!);
  expect([both.atoms?.values, both.bounds]).toEqual([
    [1, 99],
    [1, null],
  ]);
  expect((await orderedOf(columns['two atoms side by side']!)).atoms?.values).toEqual([5, 5.0001]);
  expect((await orderedOf(columns['typed floats']!)).atoms).toBeUndefined();
  expect((await orderedOf(columns['atoms of 200 numbers']!)).measure).toBe('mass');
  expect((await orderedOf(columns['all equal but one']!)).values).toEqual([3, 5.25]);
  expect((await orderedOf(['7'])).values).toEqual([7]);
});

test('a value outside the range of masses is the less likely the farther off it is, and less than any gap', async () => {
  const variable = await orderedOf(many(2000, (row) => String([1, 2, 3, 7, 8][row % 5])));
  const nats = [5, 9, 10, 20, 90].map((value) => logDensityIn(variable, otherCode(variable)!, value));
  expect(nats).toEqual([...nats].sort((one, other) => other - one));
  expect(nats[0]! - nats[4]!).toBeGreaterThan(10);
});

test('bins and cut points are as many as asked for', async () => {
  const cells = columns['typed floats']!;
  for (const [bins, cutPoints] of [
    [2, 1],
    [10, 3],
    [64, 64],
    [256, 255],
    [100, 7],
  ] as const) {
    const variable = await orderedOf(cells, { bins, cutPoints });
    expect(valueCount(variable)).toBeLessThanOrEqual(bins);
    expect(valueCount(variable)).toBeGreaterThan(0.9 * bins);
    expect(variable.cuts.length).toBe(Math.min(valueCount(variable) - 1, cutPoints));
  }
});
