import { BitMatrix } from '@orchard/dataset';
import { decisionOf, loadKernel, TrainingData, type Decision, type Kernel } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { Refusal } from '@orchard/refusal';
import { beforeAll, describe, expect, it } from 'vitest';
import { refitConditional, trainConditional } from './index.js';
import type { BoostingOptions } from './index.js';

const paper: BoostingOptions = {
  leaves: 6,
  rounds: 40,
  shrinkage: 0.1,
  start: 'half',
  minLeafWeight: 0,
  maxLeafValue: Infinity,
  l2: 0,
  featureFraction: 1,
  patience: 0,
  seed: 7,
};
const ours: BoostingOptions = {
  ...paper,
  start: 'base-rate',
  minLeafWeight: 0.1,
  maxLeafValue: 2,
  l2: 0.3,
  featureFraction: 0.5,
  patience: 10,
};

function rows(seed: number, count: number, dimensions = 12): BitMatrix {
  const stream = new RandomStream(seed, 50);
  return BitMatrix.fromRows(
    Array.from({ length: count }, () => {
      const row: number[] = [];
      for (let dim = 0; dim < dimensions; dim++)
        row.push(dim > 1 && stream.uniform() < 0.7 ? row[dim - 1]! ^ row[dim - 2]! : stream.below(3) === 0 ? 1 : 0);
      return row;
    }),
  );
}

const arrange = (valid = true) =>
  TrainingData.arrange(
    { train: rows(1, 300), valid: valid ? rows(2, 120) : null, test: rows(3, 80) },
    { threads: 1, leaves: 8 },
  );

describe('training one dimension', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel('wasm');
  });

  it('draws curves of rounds + 1 points that start at -N ln 2 and rise in training', () => {
    const { curves, ensemble, finished } = trainConditional(kernel, arrange(), 11, paper);
    expect(finished).toBe(true);
    expect(ensemble.leafCounts.length).toBe(40);
    expect([curves.train.length, curves.valid?.length, curves.test?.length]).toEqual([41, 41, 41]);
    expect(curves.train[0]).toBeCloseTo(-300 * Math.LN2, 10);
    expect(curves.valid?.[0]).toBeCloseTo(-120 * Math.LN2, 10);
    for (let round = 1; round <= 40; round++) expect(curves.train[round]).toBeGreaterThan(curves.train[round - 1]!);
  });

  it('stops where it is cancelled, and says so', () => {
    let asked = 0;
    const seen: number[] = [];
    const part = trainConditional(kernel, arrange(), 5, paper, {
      cancelled: () => ++asked > 3,
      onProgress: (rounds, curves) => seen.push(rounds, curves().train.length),
    });
    expect(part.finished).toBe(false);
    expect(seen).toEqual([1, 2, 2, 3, 3, 4]);
  });

  it('stops by patience at 1.5 times the best round + patience, and never without validation rows', () => {
    const options = { ...paper, rounds: 400, shrinkage: 0.5, patience: 5 };
    const { curves, finished } = trainConditional(kernel, arrange(), 11, options);
    const valid = Array.from(curves.valid!);
    const best = valid.indexOf(Math.max(...valid));
    expect(finished).toBe(true);
    expect(valid.length - 1).toBe(Math.ceil(1.5 * best + 5));
    expect(valid.length).toBeLessThan(400);
    expect(trainConditional(kernel, arrange(false), 11, { ...options, rounds: 60 }).curves.train.length).toBe(61);
  });

  it('starts at the base rate of the training rows where asked to', () => {
    const data = arrange();
    const ones = data.trainingOnes(4);
    const { ensemble } = trainConditional(kernel, data, 4, { ...ours, rounds: 1 });
    expect(ensemble.startOdds).toBe((ones + 0.5) / (300 - ones + 0.5));
  });

  it.each([
    ['leaves', 1],
    ['leaves', 2.5],
    ['rounds', 0],
    ['shrinkage', 0],
    ['shrinkage', 1.1],
    ['shrinkage', NaN],
    ['start', 'third'],
    ['minLeafWeight', -1],
    ['maxLeafValue', 0],
    ['l2', Infinity],
    ['featureFraction', 0],
    ['patience', -1],
    ['seed', 0.5],
  ])('refuses the option %s = %s', (name, value) => {
    const attempt = () => trainConditional(kernel, arrange(), 1, { ...paper, [name]: value });
    expect(attempt).toThrow(Refusal);
    expect(attempt).toThrow(new RegExp(`option "${name}"`));
  });

  it('does what the README shows', () => {
    const train = BitMatrix.fromRows(['00', '00', '11', '11', '10']);
    const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 2 });
    const options = { ...paper, leaves: 2, rounds: 10, seed: 0 };
    const half = trainConditional(kernel, data, 1, options, { untilRound: 5 });
    const whole = trainConditional(kernel, data, 1, options, { resumeFrom: half });
    expect([half.finished, whole.finished, whole.curves.train.length]).toEqual([false, true, 11]);
    expect(whole.curves.train[0]).toBeCloseTo(-5 * Math.LN2, 12);
  });

  describe('a decision', () => {
    /** The last column, of the rows with such bits. */
    const decisionOn = (data: TrainingData, reaches: (row: number) => boolean): Decision =>
      decisionOf(
        10,
        Uint8Array.from({ length: data.rowCount }, (_, row) => (reaches(row) ? data.bit(row, 11) : 2)),
      );

    it('counts the rows that reach it alone: in its curves, its base rate, its patience', () => {
      const data = arrange();
      const decision = decisionOn(data, (row) => data.splitOf(row) !== 1 && data.bit(row, 5) === 1);
      const training = decision.labels.filter((_, place) => data.splitOf(decision.rows[place]!) === 0);
      const ones = training.filter((label) => label === 1).length;
      const half = trainConditional(kernel, data, decision, paper);
      expect(half.curves.train[0]).toBeCloseTo(-training.length * Math.LN2, 10);
      const { ensemble, curves } = trainConditional(kernel, data, decision, { ...ours, rounds: 60 });
      expect(ensemble.startOdds).toBe((ones + 0.5) / (training.length - ones + 0.5));
      expect(Array.from(curves.valid!).every((value) => value === 0)).toBe(true);
      // no validation row reaches it: its best round is 0
      expect(ensemble.leafCounts.length).toBe(10);
    });

    it('that no training row reaches has odds of 1 and no trees; where all agree no tree has a split', () => {
      const data = arrange();
      for (const options of [paper, ours]) {
        const none = trainConditional(
          kernel,
          data,
          decisionOn(data, (row) => data.splitOf(row) > 0),
          options,
        );
        expect(none).toMatchObject({ position: 10, finished: true });
        expect([none.ensemble.startOdds, none.ensemble.leafCounts.length]).toEqual([1, 0]);
        expect(none.curves.train[0]).toBeCloseTo(0, 15);
        expect(none.curves.valid![0]).toBeCloseTo(-120 * Math.LN2, 10);
        expect(
          refitConditional(
            kernel,
            data,
            decisionOn(data, () => false),
            none.ensemble,
            options,
          ).finished,
        ).toBe(true);
        const certain = decisionOn(data, (row) => data.bit(row, 11) === 1 || data.splitOf(row) > 0);
        const { ensemble, curves } = trainConditional(kernel, data, certain, { ...options, patience: 0 });
        expect(Array.from(ensemble.leafCounts)).toEqual(new Array(40).fill(1));
        expect(curves.train[40]).toBeGreaterThan(curves.train[0]!);
      }
    });

    it('is refused where it does not fit the data', () => {
      const data = arrange();
      const { rows, labels } = decisionOn(data, () => true);
      const attempt = (decision: Decision) => () => trainConditional(kernel, data, decision, ours);
      expect(attempt({ predictors: 13, rows, labels })).toThrow(
        /got 13 predictors, expected a whole number from 0 to 12/,
      );
      expect(attempt({ predictors: 3, rows, labels: new Uint8Array(501) })).toThrow(/got 501 labels, expected 500/);
    });
  });

  it('refuses a position that does not exist, and the checkpoint of another dimension', () => {
    expect(() => trainConditional(kernel, arrange(), 12, paper)).toThrow(/position 12.*0 to 11/);
    const other = trainConditional(kernel, arrange(), 3, paper, { untilRound: 2 });
    expect(() => trainConditional(kernel, arrange(), 4, paper, { resumeFrom: other })).toThrow(/checkpoint/);
  });
});
