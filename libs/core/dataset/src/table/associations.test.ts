import type { OrderedVariable, Variable } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import { associationsOf, coarseGroups, groupsFor, inGroups, strengthsOf } from './associations.js';

const column = (rows: number, code: (row: number) => number): Uint16Array =>
  Uint16Array.from({ length: rows }, (_, row) => code(row));

/** Plain: the sum over all pairs of values, and the correction by counting those that occur. */
function plainInformation(one: Uint16Array, other: Uint16Array): number {
  const rows = one.length;
  const share = (has: (row: number) => boolean): number => one.filter((_, row) => has(row)).length / rows;
  let nats = 0;
  let cells = 0;
  for (const a of new Set(one))
    for (const b of new Set(other)) {
      const both = share((row) => one[row] === a && other[row] === b);
      if (both === 0) continue;
      cells++;
      const apart = share((row) => one[row] === a) * share((row) => other[row] === b);
      nats += both * Math.log(both / apart);
    }
  return nats + (new Set(one).size + new Set(other).size - cells - 1) / (2 * rows);
}

const ordered = (counts: readonly number[], holes = 0): OrderedVariable => ({
  kind: 'ordered',
  name: 'x',
  holes,
  format: { type: 'number', decimals: 0, places: 0, padded: true },
  measure: 'mass',
  edges: counts.slice(1).map((_, at) => at + 0.5),
  values: counts.map((_, at) => at),
  counts,
  tails: null,
  range: [0, counts.length - 1],
  cuts: [1],
});

describe('associations', () => {
  test('are the mutual information of all pairs, with entropies between', () => {
    const columns = [
      column(400, (row) => row % 3),
      column(400, (row) => (row % 3) + (row % 7 === 0 ? 1 : 0)),
      column(400, (row) => (row * row) % 5),
    ];
    const nats = associationsOf(columns, [3, 4, 5]);
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      expect(nats[one * 3 + other]).toBeCloseTo(Math.max(0, plainInformation(columns[one]!, columns[other]!)), 12);
      expect(nats[other * 3 + one]).toBe(nats[one * 3 + other]);
    }
    expect(nats[0]).toBeCloseTo(Math.log(3), 2);
  });

  test('of a constant column have no strength, whatever rounding leaves of its entropy', () => {
    for (const rows of [100, 333, 360, 1000, 4680]) {
      const columns = [column(rows, (row) => row % 7), column(rows, () => 0), column(rows, (row) => row % 2)];
      const strengths = strengthsOf(associationsOf(columns, [7, 1, 2]), 3);
      expect([...strengths.subarray(3, 6), strengths[1], strengths[7]]).toEqual([0, 0, 0, 0, 0]);
    }
    expect(strengthsOf(Float64Array.of(1, 4e-16, 4e-16, 4e-16), 2)).toEqual(Float64Array.of(1, 0, 0, 0));
  });

  test('of independent columns are near 0: what chance shows is taken off', () => {
    let state = 5;
    const next = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
    const columns = Array.from({ length: 12 }, () => column(600, () => next() % 12));
    const nats = associationsOf(columns, new Array<number>(12).fill(12));
    let sum = 0;
    let largest = 0;
    nats.forEach((value, at) => {
      if (Math.floor(at / 12) === at % 12) return;
      sum += value;
      largest = Math.max(largest, value);
    });
    // 11 x 11 / (2 x 600) = .1 without the correction
    expect(sum / 132).toBeLessThan(0.02);
    expect(largest).toBeLessThan(0.06);
  });

  test('have strengths from 0 to 1: a correlation, 1 where one tells the other, 0 with a constant column', () => {
    const columns = [
      column(500, (row) => row % 4),
      column(500, (row) => (row % 4) >> 1),
      column(500, () => 0),
      column(500, (row) => (row >> 2) % 5),
    ];
    const strengths = strengthsOf(associationsOf(columns, [4, 2, 1, 5]), 4);
    expect(strengths[1]).toBeCloseTo(1, 2);
    expect(strengths[2]).toBe(0);
    expect(strengths[4 * 2 + 2]).toBe(0);
    expect(strengths[3]).toBeLessThan(0.1);
    expect([...strengths].every((strength) => strength >= 0 && strength <= 1)).toBe(true);
    // a normal pair of correlation .6 has -log(1 - .36) / 2 nats, beside entropies of 16 groups
    const nats = Float64Array.of(Math.log(16), -Math.log(0.64) / 2, -Math.log(0.64) / 2, Math.log(16));
    expect(strengthsOf(nats, 2)[1]).toBeCloseTo(0.6, 2);
  });

  test('of no rows at all are 0', () => {
    expect([...associationsOf([new Uint16Array(0), new Uint16Array(0)], [2, 2])]).toEqual([0, 0, 0, 0]);
  });
});

describe('coarse groups', () => {
  test('of an ordered variable are neighbours of about equally many rows', () => {
    const counts = Array.from({ length: 200 }, (_, at) => 1 + (at % 17));
    const { groupOf, groups } = coarseGroups(ordered(counts));
    expect(groups).toBe(16);
    const rows = new Array<number>(16).fill(0);
    counts.forEach((count, code) => (rows[groupOf[code]!]! += count));
    const mean = counts.reduce((sum, count) => sum + count, 0) / 16;
    for (const each of rows) expect(Math.abs(each - mean)).toBeLessThan(18);
    expect([...groupOf.subarray(0, 200)]).toEqual([...groupOf.subarray(0, 200)].sort((a, b) => a - b));
  });

  test('leave alone what is few, and give absence a group of its own', () => {
    const { groupOf, groups } = coarseGroups(ordered([5, 1, 9], 4));
    // three values, "other" with the last of them, the hole
    expect([...groupOf]).toEqual([0, 1, 2, 2, 3]);
    expect(groups).toBe(4);
    expect([...inGroups(Uint16Array.of(4, 0, 3), { groupOf, groups })]).toEqual([3, 0, 2]);
  });

  test('of labels are the most frequent, and one of all others', () => {
    const labels = Array.from({ length: 40 }, (_, at) => `label ${String(at)}`);
    const counts = labels.map((_, at) => 100 - at);
    const many: Variable = { kind: 'categorical', name: 'x', holes: 3, labels, counts, others: 7 };
    const { groupOf, groups } = coarseGroups(many);
    expect(groups).toBe(16);
    expect(groupOf[13]).toBe(13);
    expect([groupOf[14], groupOf[39], groupOf[40]]).toEqual([14, 14, 14]);
    expect(groupOf[41]).toBe(15);
    const few: Variable = { ...many, holes: 0, labels: ['a', 'b'], counts: [3, 2], others: 0 };
    expect([...coarseGroups(few).groupOf]).toEqual([0, 1, 2]);
    const binary: Variable = { kind: 'binary', name: 'x', holes: 2, labels: ['a', 'b'], counts: [3, 2] };
    expect([...coarseGroups(binary).groupOf]).toEqual([0, 1, 2]);
  });

  test('are as many as the rows can tell apart, each of them in range', () => {
    expect([1, 20, 324, 1280, 1e6].map(groupsFor)).toEqual([2, 2, 8, 16, 16]);
    for (const most of [2, 3, 8, 16])
      for (const holes of [0, 5]) {
        const { groupOf, groups } = coarseGroups(
          ordered([900, 1, 1, 1, 1, 1, 1, 1, 1, 50, 1, 1, 1, 1, 1, 1, 1, 1, 1], holes),
          most,
        );
        expect(groups).toBeLessThanOrEqual(most);
        expect(Math.max(...groupOf)).toBe(groups - 1);
      }
  });
});
