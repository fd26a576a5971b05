import type { NetworkChoice, RunWords } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { Network } from '@orchard/model';
import { randomBits } from '@orchard/numerics';
import { openRun } from '@orchard/pipeline';
import { trainedOn } from '@orchard/pipeline/conformance';
import { expect, test } from 'vitest';
import type { JudgedGains } from '@orchard/model';
import { judgeRun } from './judge-run.js';
import { lbarnRun } from './lbarn-run.js';
import { lbarn } from '../lbarn.js';
import { readSelections } from '../selection/select-rounds.js';

interface Splits {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
  readonly test: BitMatrix | null;
}

/** Trains, and judges the network of a choice. */
async function judged(splits: Splits, choice: NetworkChoice, words: RunWords): Promise<JudgedGains> {
  const { train, valid, test } = splits;
  const own = { leaves: 16, ...words, select: choice.selection, refit: choice.refit };
  const { store, ...done } = await trainedOn([train, valid, test], lbarn, own);
  const run = lbarnRun(await openRun(store, done.run.id));
  const { rounds } = (await readSelections(store, run, choice.selection))[choice.selection]!;
  return judgeRun(store, run, choice, rounds, splits, Network.from(done.network));
}

/** Six independent coins, heads up in these shares of the rows. */
function coins(rows: number, seed: number): BitMatrix {
  const heads = [0.5, 0.5, 0.3, 0.8, 0.02, 0.5];
  const drawn = (row: number, dim: number): number => (randomBits(seed, 7, row, dim) >>> 0) / 2 ** 32;
  return BitMatrix.fromRows(
    Array.from({ length: rows }, (_, row) => heads.map((share, dim) => (drawn(row, dim) < share ? 1 : 0))),
  );
}

/**
 * Coins of which the second shows what the first does in four rows of five, and the fourth what the third does in one
 * of four.
 */
function relatedCoins(rows: number, seed: number): BitMatrix {
  const matrix = coins(rows, seed);
  const fresh = (row: number, dim: number): number => (randomBits(seed, 8, row, dim) >>> 0) / 2 ** 32;
  for (let row = 0; row < rows; row++) {
    if (fresh(row, 1) < 0.8) matrix.set(row, 1, matrix.get(row, 0) === 1);
    if (fresh(row, 3) < 0.25) matrix.set(row, 3, matrix.get(row, 2) === 1);
  }
  return matrix;
}

const choices: NetworkChoice[] = [
  { selection: 'individual', refit: false },
  { selection: 'individual', refit: true },
];

test.each(choices)(
  'six independent coins tell nothing of each other, with test rows or without: %j',
  async (choice) => {
    for (const [rows, seed] of [
      [40, 1],
      [400, 2],
      [4000, 3],
      [4000, 4],
    ] as const) {
      const splits = { train: coins(rows, seed), valid: coins(rows / 10, 100 + seed), test: null };
      const words = { preset: 'default', rounds: 100, seed } as const;
      for (const test of [null, coins(rows / 4, 200 + seed)]) {
        const { gains } = await judged({ ...splits, test }, choice, words);
        expect([...gains.beyondNoise], `${String(rows)} rows, seed ${String(seed)}`).toEqual([0, 0, 0, 0, 0, 0]);
      }
    }
  },
);

test('what columns tell of each other is found, on test rows or validation rows, before the refit where that has seen them', async () => {
  const splits = { train: relatedCoins(2000, 1), valid: relatedCoins(500, 2), test: null };
  const words = { preset: 'default', rounds: 100 } as const;
  const dependent = [0, 1, 0, 1, 0, 0];
  const [before, refitted] = [
    await judged(splits, { selection: 'common', refit: false }, words),
    await judged(splits, { selection: 'common', refit: true }, words),
  ];
  expect([...before.gains.beyondNoise]).toEqual(dependent);
  expect([before.split, before.beforeRefit, refitted.split, refitted.beforeRefit]).toEqual([
    'validation',
    false,
    'validation',
    true,
  ]);
  refitted.gains.gain.forEach((gain, dim) => expect(gain).toBeCloseTo(before.gains.gain[dim]!, 9));
  const tested = await judged({ ...splits, test: relatedCoins(500, 3) }, { selection: 'common', refit: true }, words);
  expect([...tested.gains.beyondNoise]).toEqual(dependent);
  expect([tested.split, tested.beforeRefit]).toEqual(['test', false]);
  expect(tested.gains.evidence[1]! / 500).toBeCloseTo(tested.gains.gain[1]!, 1);
});
