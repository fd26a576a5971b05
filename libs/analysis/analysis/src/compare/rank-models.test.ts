import { describe, expect, it } from 'vitest';
import { rankModels, type Candidate } from './rank-models.js';

const candidate = (name: string, ...nats: number[]): Candidate => ({
  ...{ name, nats: Float64Array.from(nats), seconds: 1, isWholeTime: true, threads: [1], bytes: 1, facts: [] },
  answers: { conditionals: 'drawn', mostProbable: 'none' },
});

describe('models that are compared', () => {
  it('stand by their mean, the likeliest first, beside what they lack of it', () => {
    const judged = rankModels([candidate('b', -3, -5), candidate('a', -1, -2), candidate('c', -9, -9)]);
    expect(judged.map(({ candidate: { name }, mean, difference }) => [name, mean, difference])).toEqual([
      ['a', -1.5, 0],
      ['b', -4, -2.5],
      ['c', -9, -7.5],
    ]);
    // of -1, -2: standard deviation √½, of two rows
    expect(judged[0]!.standardError).toBeCloseTo(0.5, 12);
  });

  it('are told apart by the error of their difference row by row, however wide rows differ among themselves', () => {
    const rows = Array.from({ length: 100 }, (_, row) => -row);
    const [, lower] = rankModels([
      candidate('a', ...rows),
      candidate('b', ...rows.map((nats, row) => nats - 0.1 - (row % 2) * 0.02)),
    ]);
    expect(lower!.standardError).toBeGreaterThan(2.5);
    expect(lower!.difference).toBeCloseTo(-0.11, 12);
    expect(lower!.differenceError).toBeCloseTo(0.01 / Math.sqrt(99), 12);
    expect(lower!.isWithinNoise).toBe(false);
  });

  it('are not told apart within two standard errors, nor by a single row', () => {
    const noise = [1, -1, 1, -1.2];
    const [best, other] = rankModels([candidate('a', 0, 0, 0, 0), candidate('b', ...noise)]);
    expect([best!.candidate.name, best!.differenceError, best!.isWithinNoise]).toEqual(['a', null, true]);
    expect([other!.difference, other!.isWithinNoise]).toEqual([expect.closeTo(-0.05, 12), true]);
    const single = rankModels([candidate('a', -1), candidate('b', -2)]);
    expect(single.map((one) => [one.standardError, one.differenceError, one.isWithinNoise])).toEqual([
      [null, null, true],
      [null, null, true],
    ]);
    expect(rankModels([])).toEqual([]);
  });

  it('err by the rows that there are where repeats of one are its weight', () => {
    const eight = (nats: number): number[] => Array.from({ length: 8 }, () => nats);
    const candidates = [
      candidate('a', ...[-1, -2, -3].flatMap(eight), -4),
      candidate('b', ...[-1.1, -2.3, -3.2].flatMap(eight), -4),
    ];
    const [asRows, asWeight] = [rankModels(candidates), rankModels(candidates, 'weight')];
    expect(asWeight.map(({ mean }) => mean)).toEqual(asRows.map(({ mean }) => expect.closeTo(mean, 12) as number));
    // of a ratio of sums: weights 8, 8, 8, 1
    const mean = -(8 * (1 + 2 + 3) + 4) / 25;
    const squares = [-1, -2, -3].reduce((sum, nats) => sum + (8 * (nats - mean)) ** 2, (-4 - mean) ** 2);
    expect(asWeight[0]!.standardError).toBeCloseTo(Math.sqrt((squares * 4) / 3) / 25, 12);
    expect(asWeight[1]!.differenceError! / asRows[1]!.differenceError!).toBeGreaterThan(2);
  });
});
