import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { Experts } from './experts.js';
import { startOf, stepOf } from './learn-experts.js';
import { everyPairing } from './pairs.suite.js';
import { Pursuit } from './pursuit.js';

const update = { pseudoCount: 1, factor: 2 };

describe('the rows of five pairs of columns, each 01 or 10 (thesis, figure 4.1)', () => {
  const rows = everyPairing();
  const train = attachRows(shareRows(rows));
  const learned = (restart: number, steps: number): Experts => {
    let experts = startOf(10, 10, new RandomStream(0, Purpose.restart, restart));
    for (let step = 0; step < steps; step++) experts = stepOf(train, experts, update)!.experts;
    return experts;
  };

  test('end in ten experts, each of one pair and one of its two states, five of which explain each row', () => {
    const experts = learned(64, 30);
    const states = Array.from({ length: 10 }, (_, expert) => {
      const opinions = [...experts.opinions.subarray(10 * expert, 10 * expert + 10)];
      const sure = opinions.flatMap((opinion, dim) => (Math.abs(opinion - 0.5) > 0.25 ? [dim] : []));
      // of all others it says nothing
      for (const [dim, opinion] of opinions.entries())
        if (!sure.includes(dim)) expect(Math.abs(opinion - 0.5)).toBeLessThan(0.02);
      expect(sure).toHaveLength(2);
      expect([sure[0]! % 2, sure[1]!]).toEqual([0, sure[0]! + 1]);
      // 16 rows and one of the mean: 0.5 / 17
      for (const dim of sure) expect(Math.abs(opinions[dim]! - Math.round(opinions[dim]!))).toBeCloseTo(0.5 / 17, 2);
      return `${String(sure[0]!)}:${String(Math.round(opinions[sure[0]!]!))}`;
    });
    expect(new Set(states).size).toBe(10);
    const pursuit = new Pursuit(experts);
    const values = new Uint8Array(10);
    for (let row = 0; row < 32; row++) {
      rows.readRow(row, values);
      const { experts: own, nats } = pursuit.explain(values);
      expect(own).toHaveLength(5);
      expect(nats).toBeCloseTo(10 * Math.log(1 - 0.5 / 17), 1);
    }
  });
});

describe('a step', () => {
  const stream = new RandomStream(2, 1042);
  const matrix = BitMatrix.fromRows(
    Array.from({ length: 40 }, () => Array.from({ length: 7 }, () => stream.below(2)).join('')),
  );
  const train = attachRows(shareRows(matrix));
  const before = startOf(7, 3, new RandomStream(1, Purpose.restart, 0));
  const pursuit = new Pursuit(before);
  const values = new Uint8Array(7);
  const sets = Array.from({ length: matrix.rows }, (_, row) => {
    matrix.readRow(row, values);
    return pursuit.explain(values).experts;
  });
  const { experts: after, explained } = stepOf(train, before, update)!;

  /** Σ log P(row | its experts) under other levels of expertise. */
  const natsWith = (expertise: Float64Array): number => {
    const experts = new Experts({ ...before.parts(), expertise });
    const rates = new Float64Array(7);
    return sets.reduce((sum, own, row) => {
      experts.composeInto(own, rates);
      return rates.reduce((nats, rate, dim) => nats + Math.log(matrix.get(row, dim) === 1 ? rate : 1 - rate), sum);
    }, 0);
  };

  test('doubles the levels of expertise by which the rows become likelier, and halves the others', () => {
    expect(explained).toBeCloseTo(natsWith(before.expertise), 9);
    for (let at = 0; at < 21; at++) {
      const more = before.expertise.slice();
      more[at]! *= 1 + 1e-6;
      const gain = natsWith(more) - natsWith(before.expertise);
      const ratio = after.expertise[at]! / before.expertise[at]!;
      if (Math.abs(gain) > 1e-9) expect(ratio).toBe(gain > 0 ? 2 : 1 / 2);
    }
    expect(new Set(after.expertise.map((level, at) => level / before.expertise[at]!)).size).toBeGreaterThan(1);
  });

  test('makes opinions the means of the rows by responsibility, and one row of the mean', () => {
    for (let expert = 0; expert < 3; expert++)
      for (let dim = 0; dim < 7; dim++) {
        let [ones, sum, all] = [0, 0, 0];
        sets.forEach((own, row) => {
          const value = matrix.get(row, dim);
          all += value;
          if (!own.includes(expert)) return;
          const whole = own.reduce((total, other) => total + after.expertise[other * 7 + dim]!, 0);
          const share = after.expertise[expert * 7 + dim]! / whole;
          ones += share * value;
          sum += share;
        });
        const mean = (all + 1) / 42;
        expect(after.opinions[expert * 7 + dim]).toBeCloseTo((ones + mean) / (sum + 1), 9);
      }
    after.active.forEach((share, expert) => {
      const times = sets.filter((own) => own.includes(expert)).length;
      expect(share).toBeCloseTo((times + 0.5) / 41, 12);
    });
  });

  test('is not done where it was cancelled', () => {
    expect(stepOf(train, before, update, () => true)).toBe(null);
  });
});

describe('a pursuit', () => {
  test('takes the likeliest expert first, and one more while it makes the row likelier', () => {
    const experts = startOf(8, 6, new RandomStream(4, Purpose.restart, 0));
    const pursuit = new Pursuit(experts);
    const stream = new RandomStream(5, 1043);
    const rates = new Float64Array(8);
    for (let row = 0; row < 50; row++) {
      const values = Uint8Array.from({ length: 8 }, () => stream.below(2));
      const natsOf = (own: readonly number[]): number => {
        experts.composeInto(own, rates);
        return rates.reduce((sum, rate, dim) => sum + Math.log(values[dim] === 1 ? rate : 1 - rate), 0);
      };
      const { experts: own, nats } = pursuit.explain(values);
      expect(nats).toBeCloseTo(natsOf(own), 9);
      for (let at = 0; at <= own.length; at++) {
        const chosen = own.slice(0, at);
        const others = Array.from({ length: 6 }, (_, expert) => expert).filter((expert) => !chosen.includes(expert));
        const worth = others.map((expert) => natsOf([...chosen, expert]));
        if (at < own.length) expect(others[worth.indexOf(Math.max(...worth))]).toBe(own[at]);
        else expect(Math.max(-Infinity, ...worth)).toBeLessThan(nats + 1e-8);
      }
    }
  });

  test('looks at no set of experts twice', () => {
    const experts = startOf(8, 6, new RandomStream(4, Purpose.restart, 0));
    const seen: string[] = [];
    new Pursuit(experts).explain(Uint8Array.of(1, 0, 1, 1, 0, 0, 1, 0), null, (before, expert) => {
      seen.push([...before, expert].sort((a, b) => a - b).join());
    });
    expect(seen.length).toBeGreaterThan(6);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
