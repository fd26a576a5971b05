import type { OrderedVariable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { orderedOf } from '../table/columns.suite.js';
import { codeOfValue, textWithin } from '../table/drawn-text.js';
import { numberOf, writeOnGrid } from './cell-values.js';
import { valueGridOf } from './value-grid.js';

const stream = new RandomStream(5, 1000);
const many = (draw: () => RawCell): RawCell[] => Array.from({ length: 600 }, draw);
const below = (count: number): number => stream.below(count);
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const day = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);

const columns: readonly (readonly [string, readonly RawCell[], OrderedVariable['grid']])[] = [
  ['multiples of 25', many(() => String(2500 + 25 * below(160))), { step: 25, first: 0 }],
  ['prices that end in 99', many(() => `${String(3 + below(300))}.99`), { step: 100, first: 99 }],
  ['steps of .05 on both sides of 0', many(() => ((below(400) - 200) / 20).toFixed(2)), { step: 5, first: 0 }],
  [
    'amounts of hundreds beside a heavy 0',
    many(() => String(below(2) * 100 * (1 + below(300)))),
    { step: 100, first: 0 },
  ],
  ['five minutes', many(() => clock(5 * below(288))), { step: 300, first: 0 }],
  ['Mondays', many(() => day(4 + 7 * (2500 + below(300)))), { step: 7, first: 4 }],
  ['hours', many(() => `2024-01-${String(10 + below(20))} ${clock(60 * below(24))}:00`), { step: 3600, first: 0 }],
  ['whole numbers', many(() => String(below(9000))), undefined],
  ['minutes', many(() => clock(below(1440))), undefined],
  ['all digits', many(() => String(stream.uniform() * 1e-9)), undefined],
];

describe('values of a column that keep to a grid', () => {
  it.each(columns)('%s: the grid is found, and what is drawn keeps to it in its cell', async (_, cells, grid) => {
    const variable = await orderedOf(cells);
    expect(variable.measure).toBe('density');
    expect(variable.grid).toEqual(grid);
    if (grid === undefined) return;
    const { format } = variable;
    const unit = format.type === 'number' ? 10 ** format.places : 1;
    const codes = cells.map((cell) => codeOfValue(variable, numberOf(cell!, format)));
    for (const code of codes) {
      const text = textWithin(variable, code, stream.uniform());
      const value = numberOf(text, format);
      expect(codeOfValue(variable, value)).toBe(code);
      // -3 and 2 are one step of 5 apart
      expect((((Math.round(value * unit) - grid.first) % grid.step) + grid.step) % grid.step, text).toBe(0);
    }
  });

  it('is none of so few values that may lie on one by chance, nor of numbers beyond 2^53', () => {
    const whole = { type: 'number', decimals: 0, places: 0, padded: true } as const;
    const evenNumbers = (count: number): number[] => Array.from({ length: count }, (_, at) => 2 * at);
    expect(valueGridOf(evenNumbers(20), whole)).toEqual({});
    expect(valueGridOf(evenNumbers(22), whole)).toEqual({ grid: { step: 2, first: 0 } });
    expect(valueGridOf([100, 200, 400, 900], whole)).toEqual({});
    expect(
      valueGridOf(
        evenNumbers(40).map((each) => 2 ** 60 + 256 * each),
        whole,
      ),
    ).toEqual({});
  });

  it('has points and the ends of intervals on it, within the bounds of the column', () => {
    const format = { type: 'number', decimals: 2, places: 2, padded: true } as const;
    const prices = { format, grid: { step: 100, first: 99 }, bounds: [0, null] } as const;
    expect(writeOnGrid(19.4, prices)).toBe('18.99');
    expect(writeOnGrid(19.4, prices, 'above')).toBe('19.99');
    expect(writeOnGrid(19.4, prices, 'below')).toBe('18.99');
    expect(writeOnGrid(0.2, prices, 'below')).toBe('0.20');
    expect(writeOnGrid(19.4, { format })).toBe('19.40');
  });
});
