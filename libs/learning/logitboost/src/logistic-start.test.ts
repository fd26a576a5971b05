import { BitMatrix } from '@orchard/dataset';
import { decisionOf, loadKernel, TrainingData } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { boostedTrees, ensembleAfter, refitConditional, startTreesOf, trainConditional } from './index.js';
import type { BoostingOptions, TrainedConditional } from './index.js';
import { startPenalties } from './logistic-start.js';
import { arranged } from './splits.suite.js';
import { treesOf } from './trees.js';

const options: BoostingOptions = {
  ...{ leaves: 4, rounds: 20, shrinkage: 0.1, start: 'logistic', seed: 3 },
  ...{ minLeafWeight: 0.1, maxLeafValue: 2, l2: 0.1, featureFraction: 1, patience: 0 },
};
const target = 8;

/** The last column goes with the sum of some before it; column 5 is constant. */
function rowsOf(count: number, seed: number): number[][] {
  const stream = new RandomStream(seed, 61);
  return Array.from({ length: count }, () => {
    const row = Array.from({ length: target }, (_, dim) => (dim === 5 ? 1 : stream.below(2)));
    const logOdds = 1.2 * row[0]! - 1.7 * row[3]! + 0.8 * row[6]! - 0.3;
    return [...row, stream.uniform() < 1 / (1 + Math.exp(-logOdds)) ? 1 : 0];
  });
}
const splits = { train: rowsOf(400, 1), valid: rowsOf(200, 2), test: rowsOf(100, 3) };
const arrange = () => arranged(splits);

/** The log-odds that a start gives a row, from its two-leaved trees. */
function logOddsOf({ ensemble, ...trained }: TrainedConditional, row: readonly number[]): number {
  let sum = Math.log(ensemble.startOdds);
  for (const { splitPredictor, leafFactor } of treesOf(ensembleAfter({ ensemble, ...trained }, 0)))
    sum += Math.log(leafFactor[row[splitPredictor[0]!]!]!);
  return sum;
}

function likelihood(trained: TrainedConditional, rows: readonly (readonly number[])[]): number {
  return rows.reduce((sum, row) => sum - Math.log1p(Math.exp((1 - 2 * row[target]!) * logOddsOf(trained, row))), 0);
}

describe('a logistic start', () => {
  it('is at the minimum of the penalised loss, which every slope says, and the curves begin with it', async () => {
    const penalty = 6;
    const trained = trainConditional(await loadKernel(), arrange(), target, { ...options, startPenalty: penalty });
    expect(trained.startPenalty).toBe(penalty);
    expect(trained.curves.train.length).toBe(21);
    const weights = new Map(
      [...treesOf(ensembleAfter(trained, 0))].map(({ splitPredictor, leafFactor }) => [
        splitPredictor[0]!,
        Math.log(leafFactor[1]!),
      ]),
    );
    expect(weights.size).toBe(startTreesOf(trained));
    expect([...weights.keys()]).toEqual(expect.arrayContaining([0, 3, 6]));
    const residuals = splits.train.map((row) => row[target]! - 1 / (1 + Math.exp(-logOddsOf(trained, row))));
    for (let dim = 0; dim < target; dim++) {
      const slope = residuals.reduce((sum, residual, row) => sum + residual * (2 * splits.train[row]![dim]! - 1), 0);
      const weight = weights.get(dim) ?? 0;
      if (weight === 0) expect(Math.abs(slope)).toBeLessThanOrEqual(1.01 * penalty);
      else expect(slope / Math.sign(weight) / penalty).toBeCloseTo(1, 1);
    }
    expect(trained.curves.train[0]).toBeCloseTo(likelihood(trained, splits.train), 8);
    expect(trained.curves.valid![0]).toBeCloseTo(likelihood(trained, splits.valid), 8);
    expect(trained.curves.test![0]).toBeCloseTo(likelihood(trained, splits.test), 8);
    expect(trained.curves.train[20]).toBeGreaterThan(trained.curves.train[0]!);
  });

  it('has the penalty that the validation rows like best, of those from the largest on until one is worse', async () => {
    const kernel = await loadKernel();
    const chosen = trainConditional(kernel, arrange(), target, options);
    const nats = startPenalties.map(
      (startPenalty) =>
        trainConditional(kernel, arrange(), target, { ...options, startPenalty, rounds: 1 }).curves.valid![0]!,
    );
    const worse = nats.findIndex((value, step) => step > 0 && !(value > nats[step - 1]!));
    expect(startPenalties.indexOf(chosen.startPenalty!)).toBe(worse < 0 ? nats.length - 1 : worse - 1);
    const train = BitMatrix.fromRows(splits.train);
    const blind = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 8 });
    expect(() => trainConditional(kernel, blind, target, options)).toThrow(/Give a penalty, or validation rows/);
  });

  it('is fitted anew where leaf values are: on pooled rows with the same penalty', async () => {
    const kernel = await loadKernel();
    const trained = trainConditional(kernel, arrange(), target, options);
    const own = { ...options, startPenalty: trained.startPenalty };
    const refitted = refitConditional(kernel, arrange().pooled(), target, boostedTrees(trained, 12), own);
    expect(refitted.curves.train[0]).toBeCloseTo(likelihood(refitted, [...splits.train, ...splits.valid]), 8);
    expect(refitted.ensemble.startOdds).not.toBe(trained.ensemble.startOdds);
  });

  it('has no weights and the base rate for the first column and for one that is always the same', async () => {
    for (const position of [0, 5]) {
      const trained = trainConditional(await loadKernel(), arrange(), position, options);
      const ones = splits.train.reduce((sum, row) => sum + row[position]!, 0);
      expect([startTreesOf(trained), trained.startPenalty]).toEqual([0, undefined]);
      expect(trained.ensemble.startOdds).toBe((ones + 0.5) / (400 - ones + 0.5));
    }
  });

  it('is refused of a decision', async () => {
    const kernel = await loadKernel();
    const labels = new Uint8Array(700);
    expect(() => trainConditional(kernel, arrange(), decisionOf(2, labels), options)).toThrow(
      /logistic start of a decision/,
    );
  });
});
