import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { keptRounds } from '@orchard/density-boosting';
import { mixtureOf } from '@orchard/members';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { boostCutsets, drawnByWeight } from './boost-cutsets.js';
import type { CutsetSpecification } from './cutset-run.js';

const D = 7;

/** Rows of one of three rules, by which no single tree tells them. */
function rowsOf(count: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1051);
  const matrix = BitMatrix.create(count, D);
  for (let row = 0; row < count; row++) {
    const rule = stream.below(3);
    for (let dim = 0; dim < D; dim++) {
      const before = dim === 0 ? 0 : matrix.get(row, rule === 0 ? dim - 1 : 0);
      const likely = rule === 2 ? dim % 2 : before;
      matrix.set(row, dim, stream.below(6) === 0 ? 1 - likely === 1 : likely === 1);
    }
  }
  return matrix;
}

const ROWS = 2000;
const [train, valid] = [rowsOf(ROWS, 1), rowsOf(ROWS, 2)];
const options = {
  choose: 'entropy',
  minRows: 1500,
  minColumns: 2,
  leafModel: 'product',
  pseudoCount: 1,
  seed: 3,
} as const;

function boost(more: { readonly components: number; readonly refits: number }) {
  const rows = { train: attachRows(shareRows(train)), valid: attachRows(shareRows(valid)) };
  const boosting = boostCutsets(rows, { ...options, ...more } as unknown as CutsetSpecification);
  const rounds = [boosting.next()];
  while (!rounds.at(-1)!.facts.isLast) rounds.push(boosting.next());
  return rounds;
}

const mean = (nats: Float64Array): number => nats.reduce((sum, own) => sum + own, 0) / nats.length;

describe.each([0, 3])('boosted networks, fitted %d times more', (refits) => {
  const rounds = boost({ components: 8, refits });

  test('are mixed as (1 − ε) f + ε h says, by the ε of most likelihood', () => {
    let mixed = new Float64Array(ROWS);
    for (const { facts, model } of rounds) {
      const own = model.logLikelihood(train).map((nats) => Math.exp(nats));
      const before = mixed;
      const by = (step: number): Float64Array<ArrayBuffer> =>
        Float64Array.from(own, (share, row) => (1 - step) * before[row]! + step * share);
      mixed = by(facts.step);
      expect(facts.train).toBeCloseTo(mean(mixed.map(Math.log)), 9);
      if (facts.round === 1) continue;
      for (let other = 0; other < 1; other += 0.02)
        expect(facts.train).toBeGreaterThanOrEqual(mean(by(other).map(Math.log)) - 1e-9);
      expect(facts.ratio).toBeGreaterThan(0);
    }
    expect(rounds.length).toBeGreaterThan(2);
  });

  test('are kept up to the round that the validation rows like best', () => {
    const { weights, kept } = keptRounds(rounds);
    const members = kept.map(({ model }) => model);
    const likelihoods = { train: null, valid: null, test: null };
    const model = mixtureOf({ members, weights, specification: null, likelihoods });
    const best = Math.max(...rounds.map(({ facts }) => facts.valid));
    expect(mean(model.logLikelihood(valid))).toBeCloseTo(best, 9);
    expect(best).toBeGreaterThan(rounds[0]!.facts.valid + 0.01);
  });
});

test('a row is drawn as often as its weight says, rounded up or down, on average exactly', () => {
  const weights = Float64Array.of(0.3, 2.5, 0, 1.2, 4);
  const counts = new Float64Array(5);
  for (let offset = 0; offset < 1; offset += 0.001) {
    const drawn = drawnByWeight(weights, offset);
    drawn.forEach((times, row) => {
      expect([Math.floor(weights[row]!), Math.ceil(weights[row]!)]).toContain(times);
      counts[row]! += times / 1000;
    });
    expect(drawn.reduce((sum, times) => sum + times, 0)).toBe(8);
  }
  counts.forEach((count, row) => expect(Math.abs(count - weights[row]!)).toBeLessThan(0.01));
});
