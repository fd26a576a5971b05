import type { OrderedVariable, Variable } from '@orchard/contracts';
import { describe, expect, it } from 'vitest';
import { offeredRules, type RowsByColumn } from './offered-rules.js';
import { readRule } from './read-rule.js';

const number = (name: string): Variable =>
  ({ kind: 'ordered', name, format: { type: 'number' } }) as unknown as OrderedVariable;
const label = (name: string): Variable => ({ kind: 'categorical', name }) as unknown as Variable;

const variables = [
  ...[number('price'), number('tax'), number('total sum'), number('paid')],
  ...[label('country'), label('city'), number('refund'), label('status')],
];
const ROWS = 400;
const rowsOf = (each: (row: number) => readonly (number | string | null)[]): RowsByColumn => {
  const rows = Array.from({ length: ROWS }, (_, row) => each(row));
  return {
    rows: ROWS,
    numbers: variables.map(({ kind }, at) =>
      kind === 'ordered' ? Float64Array.from(rows, (row) => (row[at] as number | null) ?? NaN) : null,
    ),
    labels: variables.map(({ kind }, at) => (kind === 'ordered' ? null : rows.map((row) => row[at] as string | null))),
  };
};
const orders = (row: number): (number | string | null)[] => {
  const price = ((row * 7919) % 997) / 10;
  const tax = ((row * 31) % 89) / 10;
  const city = (row * 13) % 12;
  const isReturned = row % 5 === 2;
  return [
    ...[price, tax, price + tax, (row * 613) % 101],
    ...[`country ${String(Math.floor(city / 3))}`, `city ${String(city)}`],
    ...[isReturned ? (row * 17) % 23 : null, isReturned ? "won't keep" : ['open', 'done'][row % 2]!],
  ];
};

describe('rules that all rows follow', () => {
  it('are offered with the rows that show them, in words that are rules', () => {
    const offered = offeredRules({ variables }, rowsOf(orders));
    expect(offered).toEqual([
      { rule: 'price <= "total sum"', rows: 400 },
      { rule: '"total sum" = price + tax', rows: 400 },
      { rule: 'combination(country, city)', rows: 400 },
      { rule: "refund is missing unless status = 'won''t keep'", rows: 80 },
    ]);
    for (const { rule } of offered) expect(() => readRule(rule)).not.toThrow();
  });

  it('are not offered where one row breaks them', () => {
    const broken = offeredRules(
      { variables },
      rowsOf((row) => (row === 77 ? [9, 9, 1, 5, 'country 0', 'city 11', 4, 'open'] : orders(row))),
    );
    expect(broken.map(({ rule }) => rule)).toEqual(['combination(country, city)']);
  });

  it('are not offered where any rows would follow', () => {
    const apart = rowsOf((row) => [row % 7, 10 + (row % 5), 40 + (row % 11), 90, 'a', 'b', 1, 'c']);
    expect(offeredRules({ variables }, apart)).toEqual([]);
  });
});
