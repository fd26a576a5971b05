import { BitMatrix } from '@orchard/dataset';
import { emptyEnsemble, EnsembleBuilder, Network, untold } from '@orchard/model';
import { expect, test } from 'vitest';
import { askImportance } from './ask-importance.js';
import type { HeldOut } from './held-out.js';

const COLUMNS = 5;

/** Rows of which the last column is the first one, and all others are of their own. */
function rows(count: number): BitMatrix {
  return BitMatrix.fromRows(
    Array.from({ length: count }, (_, row) => {
      const bits = Array.from({ length: COLUMNS - 1 }, (__, column) => Math.floor((row * 7919) / (column + 3)) & 1);
      return [...bits, bits[0]!];
    }),
  );
}

/** The last column by a tree of each of the others but one, whose leaves have its odds so much higher and lower. */
function network(factors: readonly (number | null)[]): Network {
  const trees = new EnsembleBuilder(1);
  factors.forEach((factor, predictor) => {
    if (factor === null) return;
    trees.push({
      splitLeaf: Uint32Array.of(0),
      splitPredictor: Uint32Array.of(predictor),
      splitGain: Float64Array.of(factor),
      leafFactor: Float64Array.of(1 / factor, factor),
    });
  });
  const coin = emptyEnsemble(1);
  return new Network({
    ensembles: [coin, coin, coin, coin, trees.build()],
    ordering: Uint32Array.from({ length: COLUMNS }, (_, at) => at),
    ...{ names: ['a', 'b', 'c', 'd', 'e'], shape: null, specification: null, likelihoods: untold },
  });
}

const heldOut = (count: number): HeldOut => ({ rows: rows(count), split: 'test', chosenOf: 1 });
const model = network([4, 1.5, null, 1.2]);

test('a share says in its row whether it is beyond noise, and which rows decided', async () => {
  const { name, shares, judgedBy } = await askImportance(model, { column: 4 }, heldOut(400));
  expect(name).toBe('e');
  expect(shares.map((share) => [share.name, share.beyondNoise])).toEqual([
    ['a', true],
    ['b', false],
    ['d', false],
  ]);
  expect(judgedBy).toEqual({ split: 'test', rows: 400, ofRows: 400, tested: 3 });
});

test('a thousand rows decide where there are more', async () => {
  expect((await askImportance(model, { column: 4 }, heldOut(2500))).judgedBy).toMatchObject({
    rows: 1000,
    ofRows: 2500,
  });
});

test('nothing is judged without rows, and nothing where there are no predictors', async () => {
  const untested = await askImportance(model, { column: 4 }, null);
  expect([untested.judgedBy, untested.shares[0]!.beyondNoise]).toEqual([null, null]);
  expect(await askImportance(model, { column: 0 }, heldOut(400))).toMatchObject({ shares: [], judgedBy: null });
});

test('a column that is not there is refused', async () => {
  for (const column of [5, -1, 0.5, NaN])
    await expect(askImportance(model, { column }, null)).rejects.toThrow('expected one of 0 to 4');
});
