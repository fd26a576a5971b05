import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { EnsembleBuilder, emptyEnsemble, type Ensemble } from './ensemble.js';
import { ModelError } from '../errors.js';
import { NOISE_CHANCE, baseRates, judgeGains, overAllRounds } from './held-out-gain.js';
import { Network } from './network.js';

/**
 * Rows of independent columns with these rates, but that `copies` shows what column 0 does in this share of the rows.
 */
function draw(
  rows: number,
  rates: readonly number[],
  seed: number,
  copies?: { column: number; share: number },
): BitMatrix {
  const stream = new RandomStream(seed, rows);
  return BitMatrix.fromRows(
    Array.from({ length: rows }, () => {
      const row = rates.map((rate) => (stream.uniform() < rate ? 1 : 0));
      if (copies !== undefined && stream.uniform() < copies.share) row[copies.column] = row[0]!;
      return row;
    }),
  );
}

/**
 * Every column explained by one tree with a split on the earlier column that fits the training rows best: noise, where
 * all are independent.
 */
function fitted(train: BitMatrix): Network {
  const rates = baseRates(train);
  const ensembles = Array.from(rates, (rate, column): Ensemble => {
    const odds = rate / (1 - rate);
    let best = { gain: -Infinity, predictor: 0, factors: [1, 1] };
    for (let predictor = 0; predictor < column; predictor++) {
      const counts = [
        [0, 0],
        [0, 0],
      ];
      for (let row = 0; row < train.rows; row++) counts[train.get(row, predictor)]![train.get(row, column)]!++;
      const leaves = counts.map(([zeros, ones]) => (ones! + 0.5) / (zeros! + ones! + 1));
      const gain = counts.reduce(
        (sum, [zeros, ones], leaf) => sum + zeros! * Math.log(1 - leaves[leaf]!) + ones! * Math.log(leaves[leaf]!),
        0,
      );
      if (gain > best.gain) best = { gain, predictor, factors: leaves.map((leaf) => leaf / (1 - leaf) / odds) };
    }
    if (column === 0) return emptyEnsemble(odds);
    const trees = new EnsembleBuilder(odds);
    trees.push({
      splitLeaf: Uint32Array.of(0),
      splitPredictor: Uint32Array.of(best.predictor),
      splitGain: Float64Array.of(1),
      leafFactor: Float64Array.from(best.factors),
    });
    return trees.build();
  });
  return new Network({
    ordering: Uint32Array.from(ensembles, (_, column) => column),
    names: null,
    shape: null,
    specification: {},
    likelihoods: { train: null, valid: null, test: null },
    ensembles,
  });
}

const fair = Array.from({ length: 6 }, () => 0.5);
const rare = Array.from({ length: 6 }, (_, column) => 0.002 * (column + 1));
const sure = [0.5, 0, 1, 0.5, 0, 0.999];

describe('what a conditional gains on held-out rows', () => {
  it.each([
    ['fair', fair],
    ['rare', rare],
    ['constant or nearly', sure],
  ])('is never beyond noise where all columns are independent: %s', (_, rates) => {
    for (const [train, heldOut] of [
      [30, 4],
      [30, 300],
      [300, 30],
      [3000, 300],
    ]) {
      for (let seed = 1; seed <= 25; seed++) {
        const training = draw(train!, rates, seed);
        const network = fitted(training);
        const judged = network.gains({ matrix: draw(heldOut!, rates, 1000 + seed), rates: baseRates(training) });
        expect([...judged.beyondNoise]).toEqual(rates.map(() => 0));
        expect(network.importance(judged).every((share) => share === 0)).toBe(true);
        expect(network.importance().some((share) => share > 0)).toBe(true);
      }
    }
  });

  it.each([
    ['a copy in all of 20 rows', 1, 20],
    ['a copy in three rows of four of 200', 0.75, 200],
    ['a copy in one row of five of 2,000', 0.2, 2000],
  ])('is beyond noise where there is something to tell: %s', (_, share, rows) => {
    for (let seed = 1; seed <= 10; seed++) {
      const copies = { column: 4, share };
      const training = draw(2000, fair, seed, copies);
      const network = fitted(training);
      const judged = network.gains({ matrix: draw(rows, fair, 1000 + seed, copies), rates: baseRates(training) });
      expect([...judged.beyondNoise]).toEqual([0, 0, 0, 0, 1, 0]);
      expect([...network.importanceOf(4, judged)]).toEqual([1, 0, 0, 0, 0, 0]);
      expect([...network.importanceOf(3, judged)]).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  it('is in nats per row over the rate in the training rows', () => {
    const matrix = BitMatrix.fromRows(['00', '01', '01', '11']);
    const { gain, evidence } = judgeGains([-3, -1], { matrix, rates: [0.5, 0.25] });
    expect(gain[0]).toBeCloseTo((-3 + 4 * Math.log(2)) / 4, 12);
    expect(gain[1]).toBeCloseTo((-1 - (3 * Math.log(0.25) + Math.log(0.75))) / 4, 12);
    // the rates of these very rows are 1/4 and 3/4
    expect(evidence[0]).toBeCloseTo(-3 - (Math.log(0.25) + 3 * Math.log(0.75)), 12);
    expect(evidence[1]).toBeCloseTo(-1 - (3 * Math.log(0.75) + Math.log(0.25)), 12);
  });

  it('needs more where more columns are judged', () => {
    const matrix = BitMatrix.fromRows(['01', '10']);
    expect(judgeGains([-1, -1], { matrix, rates: [0.5, 0.5] }).needed).toBeCloseTo(Math.log(2 / NOISE_CHANCE), 12);
  });

  it('is judged over all rounds where the rows chose the round: a mixture with weights that sum to one', () => {
    expect(overAllRounds(Array.from({ length: 1e6 }, () => -3))).toBeCloseTo(
      -3 + Math.log(1 - 1 / Math.log2(1e6 + 2)),
      9,
    );
    const lucky = Array.from({ length: 100 }, (_, round) => (round === 60 ? 0 : -1000));
    expect(overAllRounds(lucky)).toBeCloseTo(Math.log(1 / Math.log2(62) - 1 / Math.log2(63)), 9);
    const matrix = BitMatrix.fromRows(['0', '1']);
    const { gain, evidence } = judgeGains([-1], { matrix, rates: [0.5] }, [-5]);
    expect(gain[0]).toBeCloseTo(Math.log(2) - 0.5, 12);
    expect(evidence[0]).toBeCloseTo(2 * Math.log(2) - 5, 12);
  });

  it('cannot be told without rows, or with rates of other columns', () => {
    const matrix = BitMatrix.create(0, 2);
    expect(() => judgeGains([0, 0], { matrix, rates: [0.5, 0.5] })).toThrow(ModelError);
    expect(() => judgeGains([0, 0], { matrix: BitMatrix.fromRows(['01']), rates: [0.5] })).toThrow('1 rates');
  });
});
