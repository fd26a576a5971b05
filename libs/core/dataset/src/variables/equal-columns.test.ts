import type { OrderedVariable, Table } from '@orchard/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkTable } from './check-table.js';
import { codeOffsets } from './codes.js';
import { logDensityIn } from './density.js';
import { equalColumnsOf } from './equal-columns.js';
import { measured, ordered, rowsOfCodes, tableOfVariables } from './small-tables.suite.js';
import { valuesOf } from '../table/write-table.js';

/** Columns of halves, cut at other places, of which the second is never negative. */
function tableOf(share: number, edges: readonly number[]): Table {
  const halves = { type: 'number', decimals: 1, places: 1, padded: true } as const;
  const one = { ...(measured('one', 4, 1) as OrderedVariable) };
  delete (one as { bounds?: unknown }).bounds;
  const borders = [edges[0]! - 1, ...edges.flatMap((edge) => [edge, edge + 0.1]), edges.at(-1)! + 1];
  const other: OrderedVariable = {
    ...(ordered('other', edges.length + 1, 'density') as OrderedVariable),
    ...{ edges, tails: [0.5, 2] },
    pieces: { borders, weights: borders.slice(1).map((_each, piece) => 1 + (piece % 3)), beyond: [1, 2] },
  };
  const variables = [
    { ...one, format: halves },
    { ...other, format: halves },
  ];
  return { ...tableOfVariables(variables), equalities: [{ one: 'one', other: 'other', share }] };
}

/** By the midpoints of many steps. */
function integral(density: (value: number) => number, from: number, to: number): number {
  const steps = to - from > 20 ? 50_000 : 400;
  const breadth = (to - from) / steps;
  let sum = 0;
  for (let step = 0; step < steps; step++) sum += density(from + breadth * (step + 0.5)) * breadth;
  return sum;
}

const anyTable = fc
  .record({
    share: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
    edges: fc.uniqueArray(fc.integer({ min: -8, max: 50 }), { minLength: 1, maxLength: 6 }),
  })
  .map(({ share, edges }) =>
    tableOf(
      share,
      edges.sort((a, b) => a - b).map((edge) => edge / 10 + 0.05),
    ),
  );

test('given their cells, values of both columns have densities that integrate to 1', () => {
  fc.assert(
    fc.property(anyTable, fc.nat(3), fc.nat(6), (table, oneCode, other) => {
      const [pair] = equalColumnsOf(table);
      const otherCode = other % pair!.other.values.length;
      const overlap = pair!.overlap(oneCode, otherCode);
      if (overlap === null) return;
      // what is one value: its density along the line, as wide as what is written alike, beside what is not
      const asOne = (value: number): number => {
        const [one, nats] = [logDensityIn(pair!.one, oneCode, value), logDensityIn(pair!.other, otherCode, value)];
        const beyond = Math.exp(nats + pair!.natsBeyond(overlap, true, nats)) - (1 - pair!.share) * Math.exp(nats);
        return Math.exp(one) * beyond * pair!.step;
      };
      const [low, high] = overlap.range.map((end) => Math.max(-90, Math.min(90, end))) as [number, number];
      const inner = pair!.one.pieces!.borders.filter((border) => border > low && border < high);
      const sum = [low, ...inner].reduce((all, from, at) => all + integral(asOne, from, inner[at] ?? high), 0);
      expect(sum).toBeCloseTo(pair!.share, 5);
      expect(Math.exp(pair!.natsBeyond(overlap, false, -1))).toBeCloseTo(1 - pair!.share, 12);
    }),
    { numRuns: 60 },
  );
});

test('atoms and cells that do not overlap are left alone', () => {
  const [pair] = equalColumnsOf(tableOf(0.5, [1.25, 2.25]));
  expect(pair!.overlap(4, 0)).toBeNull();
  expect(pair!.overlap(0, 2)).toBeNull();
  expect(pair!.overlap(1, 1)).toEqual({ range: [1.25, 1.5], share: expect.any(Number) as number });
});

test('drawn values are equal as often as the table says, and lie in their cells', () => {
  const table = tableOf(0.6, [1.05, 2.05]);
  const rows = 4000;
  const matrix = rowsOfCodes({ table }, new Array<number[]>(rows).fill([1, 0]));
  const [ones, others] = valuesOf(matrix, table, 3);
  const equal = ones!.filter((text, row) => text === others![row]).length;
  // beside them, some are equal by chance
  expect(equal / rows).toBeGreaterThan(0.6);
  expect(equal / rows).toBeLessThan(0.72);
  for (const text of ones!) expect(Number(text)).toBeGreaterThanOrEqual(0.5);
  for (const text of others!) expect(Number(text)).toBeLessThan(1.05);
});

test('what is given of one column holds for both where they are equal', () => {
  const table = tableOf(0.9, [0.05, 2.05]);
  const matrix = rowsOfCodes({ table }, new Array<number[]>(500).fill([1, 1]));
  const [ones, others] = valuesOf(matrix, table, 3, new Map([[1, { ranges: [[0.9, 1.2]] }]]));
  const equal = ones!.filter((text, row) => text === others![row]);
  expect(equal.length).toBeGreaterThan(300);
  for (const text of others!) expect([0.9, 1, 1.1, 1.2]).toContain(Number(text));
});

test('of one value that is known, the other is filled with it as often as both agree', () => {
  const table = tableOf(0.5, [0.05, 2.05]);
  const rows = 4000;
  const matrix = rowsOfCodes({ table }, new Array<number[]>(rows).fill([1, 1]));
  for (const known of [0, 1]) {
    const [ones, others] = valuesOf(matrix, table, 5, new Map(), new Map([[known, new Float64Array(rows).fill(1.3)]]));
    const filled = (known === 0 ? others : ones)!;
    const equal = filled.filter((text) => text === '1.3').length;
    const [pair] = equalColumnsOf(table);
    const overlap = pair!.overlap(1, 1)!;
    const chance = known === 0 ? pair!.chanceGivenOne(overlap, 1.3) : pair!.chanceGivenOther(overlap, [1, 1], 1.3);
    expect(equal / rows).toBeGreaterThan(chance - 0.03);
    expect(equal / rows).toBeLessThan(chance + 0.12);
  }
});

test('a table with equalities that cannot be is refused', () => {
  const table = tableOf(0.5, [1.05]);
  expect(codeOffsets(table)[2]).toBe(4);
  const checked = checkTable({ table, tailNats: [0, 0] }, 4);
  expect(checked.table).toEqual(table);
  const refused = (equalities: unknown): void =>
    expect(() => checkTable({ table: { ...table, equalities }, tailNats: [0, 0] }, 4)).toThrow('equalities');
  refused([]);
  refused([{ one: 'one', other: 'other', share: 1 }]);
  refused([{ one: 'other', other: 'one', share: 0.5 }]);
  refused([{ one: 'one', other: 'nothing', share: 0.5 }]);
  refused([...table.equalities!, ...table.equalities!]);
});
