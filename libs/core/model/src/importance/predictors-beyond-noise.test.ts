import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { EnsembleBuilder, emptyEnsemble } from '../network/ensemble.js';
import { NOISE_CHANCE } from '../network/held-out-gain.js';
import { Network } from '../network/network.js';
import { judgePredictors } from './predictors-beyond-noise.js';

const COLUMNS = 4;

/** Fair coins, of which the last shows what the first does in this share of the rows. */
function coins(rows: number, seed: number, share: number): BitMatrix {
  const stream = new RandomStream(seed, rows);
  return BitMatrix.fromRows(
    Array.from({ length: rows }, () => {
      const row = Array.from({ length: COLUMNS }, () => (stream.uniform() < 0.5 ? 1 : 0));
      if (stream.uniform() < share) row[COLUMNS - 1] = row[0]!;
      return row;
    }),
  );
}

/** The last column by a tree on each of the others, whose leaves multiply its odds by `factor` or divide them by it. */
function network(factors: readonly number[]): Network {
  const trees = new EnsembleBuilder(1);
  factors.forEach((factor, predictor) => {
    trees.push({
      splitLeaf: Uint32Array.of(0),
      splitPredictor: Uint32Array.of(predictor),
      splitGain: Float64Array.of(1),
      leafFactor: Float64Array.of(1 / factor, factor),
    });
  });
  const coin = emptyEnsemble(1);
  return new Network({
    ensembles: [coin, coin, coin, trees.build()],
    ordering: Uint32Array.of(0, 1, 2, 3),
    names: null,
    shape: null,
    specification: null,
    likelihoods: { train: 0, valid: null, test: null },
  });
}

const pairs = [0, 1, 2].map((predictor) => ({ column: COLUMNS - 1, predictor }));

describe('predictors on held-out rows', () => {
  it('are beyond noise where their own values say more than those of other rows, however small their share is', async () => {
    const judged = (await judgePredictors(network([2, 1.2, 3]), coins(500, 1, 0.6), pairs))!;
    expect([...judged.beyondNoise]).toEqual([1, 0, 0]);
    expect(judged.evidence[0]!).toBeGreaterThan(20);
    expect(judged.needed).toBeCloseTo(Math.log(pairs.length / NOISE_CHANCE), 12);
  });

  it('are asked of no more rows than decide', async () => {
    const asked: number[] = [];
    class Counting extends Network {
      override logLikelihoods(rows: BitMatrix): Float64Array {
        asked.push(rows.rows);
        return super.logLikelihoods(rows);
      }
    }
    const judged = (await judgePredictors(new Counting(network([2, 1.2, 3])), coins(4000, 1, 0.6), pairs))!;
    expect([...judged.beyondNoise]).toEqual([1, 0, 0]);
    expect(judged.rows).toBe(4000);
    expect(Math.max(...asked)).toBe(500);
  });

  it('are found among coins alone in fewer models than the chance says', async () => {
    let found = 0;
    const models = 100;
    for (let seed = 0; seed < models; seed++) {
      const judged = (await judgePredictors(network([1.1, 1.3, 1.05]), coins(80, seed, 0), pairs))!;
      if (judged.beyondNoise.includes(1)) found++;
    }
    expect(found / models).toBeLessThan(NOISE_CHANCE);
  });

  it('need more evidence where the rows have chosen the model among many', async () => {
    const rows = coins(500, 1, 0.6);
    const plain = (await judgePredictors(network([2, 1, 1]), rows, pairs))!;
    const chosen = (await judgePredictors(network([2, 1, 1]), rows, pairs, { chosenOf: 1000 }))!;
    expect(chosen.evidence).toEqual(plain.evidence);
    expect(chosen.needed - plain.needed).toBeCloseTo(Math.log(1000), 12);
  });

  it('are not judged without rows', async () => {
    expect(await judgePredictors(network([2, 1, 1]), BitMatrix.create(0, COLUMNS), pairs)).toBeNull();
  });
});
