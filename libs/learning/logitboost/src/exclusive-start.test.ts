import { BitMatrix } from '@orchard/dataset';
import { decisionOf, loadKernel, TrainingData } from '@orchard/kernel';
import { equalEnsembles } from '@orchard/model/conformance/networks';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { exclusiveColumns } from './exclusive-columns.js';
import { ensembleAfter, startTreesOf, trainConditional } from './index.js';
import type { BoostingOptions, TrainedConditional } from './index.js';
import { arranged } from './splits.suite.js';
import { treesOf } from './trees.js';

/**
 * Columns 0 to 2 are the labels of a category; of 4 to 6 one is 1 or none, and 5 rarely; 3 and 9 are coins; 7 is 1 in
 * few rows; 8 is never 1.
 */
function rowsOf(count: number, seed: number): number[][] {
  const random = new RandomStream(seed, 61);
  return Array.from({ length: count }, (_, row) => {
    const coin = random.below(2);
    const first = (coin + random.below(2)) % 3;
    const second = random.below(4) === 0 ? 3 : row % 90 === 0 ? 1 : first === 1 || coin === 1 ? 0 : 2;
    const oneOf = (label: number): number[] => [0, 1, 2].map((own) => (own === label ? 1 : 0));
    return [...oneOf(first), coin, ...oneOf(second), second === 3 && row % 60 === 0 ? 1 : 0, 0, random.below(2)];
  });
}
const splits = { train: rowsOf(300, 1), valid: rowsOf(150, 2), test: rowsOf(100, 3) };
const dimensions = 10;
const natural = Uint32Array.from({ length: dimensions }, (_, column) => column);
const reversed = natural.slice().reverse();

const options: BoostingOptions = {
  ...{ leaves: 3, rounds: 30, shrinkage: 0.2, start: 'base-rate', seed: 3, exclusive: natural },
  ...{ minLeafWeight: 0.1, maxLeafValue: 2, l2: 0.1, featureFraction: 1, patience: 0 },
};

function arrange(ordering = natural, train: readonly number[][] = splits.train): TrainingData {
  const ordered = (rows: readonly number[][]) => rows.map((row) => Array.from(ordering, (column) => row[column]!));
  return arranged({ train: ordered(train), valid: ordered(splits.valid), test: ordered(splits.test) });
}

/** P(column is 1) by a conditional in natural order after `rounds` rounds. */
function chanceOf(trained: TrainedConditional, rounds: number, row: readonly number[]): number {
  const ensemble = ensembleAfter(trained, rounds);
  let odds = ensemble.startOdds;
  for (const { splitLeaf, splitPredictor, leafFactor } of treesOf(ensemble)) {
    let leaf = 0;
    splitPredictor.forEach((predictor, split) => {
      if (splitLeaf[split] === leaf && row[predictor] === 1) leaf = split + 1;
    });
    odds *= leafFactor[leaf]!;
  }
  return odds / (1 + odds);
}

describe('exclusive columns', () => {
  it('are neighbours as stored, in any ordering, without those that may be exclusive by chance', () => {
    const { told, chance } = exclusiveColumns(arrange(), natural);
    const by = (position: number) => told[position] && { by: [...told[position].by], isLast: told[position].isLast };
    expect(natural.reduce<unknown[]>((all, position) => [...all, by(position)], [])).toEqual([
      ...[null, { by: [0], isLast: false }, { by: [0, 1], isLast: true }],
      ...[null, null, { by: [4], isLast: false }, { by: [4, 5], isLast: false }, null, null, null],
    ]);
    const ones = (column: number) => splits.train.filter((row) => row[column] === 1).length;
    // a 1 in 0 tells of two columns, in 1 and in 2 of one; a 1 in 4 of two and in 5 of one
    const said = 2 * ones(0) + ones(1) + ones(2) + 2 * ones(4) + ones(5);
    expect(chance).toBe(0.5 / (said + 1));
    const backwards = exclusiveColumns(arrange(reversed), reversed).told;
    expect(backwards.map((own) => own && [...own.by].map((position) => reversed[position]))).toEqual([
      ...[null, null, null, null, [6], [6, 5], null, null, [2], [2, 1]],
    ]);
    expect(backwards.map((own) => own?.isLast === true)).toEqual(
      natural.reduce<boolean[]>((all, position) => [...all, position === 9], []),
    );
  });
});

describe('a group in which every row has a 1', () => {
  it('is not complete where a column beside it is never 1: that may be a label of it, in rows to come', () => {
    // two labels, one that nobody has, two labels, a coin; and the same with the third label
    const rows = Array.from({ length: 80 }, (_, row) => [0, 1, 2, 3, 4].map((bit) => (row >> bit) & 1));
    const lastOf = (labelsOf: (bits: readonly number[]) => readonly number[]) => {
      const train = BitMatrix.fromRows(rows.map((bits) => [...labelsOf(bits), bits[2]!, 1 - bits[2]!, bits[3]!]));
      const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 2 });
      const { told } = exclusiveColumns(data, natural.subarray(0, train.dimensions));
      return told.map((own) => own && own.isLast);
    };
    expect(lastOf(([a]) => [a!, 1 - a!, 0])).toEqual([null, false, null, null, false, null]);
    expect(lastOf(([a, b]) => [a!, (1 - a!) * b!, (1 - a!) * (1 - b!)])).toEqual([null, false, true, null, true, null]);
  });
});

describe('a start by exclusive columns', () => {
  it('is sure of what they tell and at the base rate of the other rows, and curves say what the trees give', async () => {
    const kernel = await loadKernel();
    const data = arrange();
    const { chance } = exclusiveColumns(data, natural);
    for (const column of [1, 2, 5, 6]) {
      const trained = trainConditional(kernel, data, column, options);
      const before = column < 4 ? [0, 1].slice(0, column) : [4, 5].slice(0, column - 4);
      expect(startTreesOf(trained)).toBe(before.length);
      expect(trained.exclusiveChance).toBe(chance);
      const isTold = (row: readonly number[]) => before.some((other) => row[other] === 1);
      const open = splits.train.filter((row) => !isTold(row));
      const rate = (open.filter((row) => row[column] === 1).length + 0.5) / (open.length + 1);
      for (const row of splits.test)
        expect(chanceOf(trained, 0, row)).toBeCloseTo(isTold(row) ? chance : column === 2 ? 1 - chance : rate, 10);
      for (const rounds of [0, 30])
        for (const split of ['train', 'valid', 'test'] as const) {
          const nats = splits[split].reduce((sum, row) => {
            const p = chanceOf(trained, rounds, row);
            return sum + Math.log(row[column] === 1 ? p : 1 - p);
          }, 0);
          expect(trained.curves[split]![rounds]).toBeCloseTo(nats, 6);
        }
      // what is told stays so, and costs next to nothing; a row that breaks the rule is unlikely, not impossible
      for (const row of splits.test.filter(isTold)) expect(chanceOf(trained, 30, row)).toBeLessThan(100 * chance);
      const broken = chanceOf(
        trained,
        30,
        Array.from({ length: dimensions }, () => 1),
      );
      expect(broken).toBeGreaterThan(1e-12);
    }
  });

  it('leaves trees to what is not told: test rows are likelier than where the same rounds learn all of it', async () => {
    const kernel = await loadKernel();
    const data = arrange();
    const nats = (own: BoostingOptions) =>
      natural.reduce((sum, column) => sum + trainConditional(kernel, data, column, own).curves.test![30]!, 0);
    const stumps = { ...options, leaves: 2 };
    expect(nats(stumps) - nats({ ...stumps, exclusive: undefined })).toBeGreaterThan(2);
  });

  it('tells a column that is never 1 in training rows what the others of its group say, whatever was trained before', async () => {
    const [kernel, reference] = [await loadKernel(), await loadKernel('reference')];
    const data = arrange(
      natural,
      splits.train.map((row) => row.with(5, 0)),
    );
    const plain = trainConditional(reference, data, 5, options);
    expect(startTreesOf(plain)).toBe(1);
    for (const before of [4, 7, 9]) {
      trainConditional(kernel, data, before, options);
      const trained = trainConditional(kernel, data, 5, options);
      expect(equalEnsembles(plain.ensemble, trained.ensemble)).toBe(true);
      expect(trained.curves.train[0]).toBeCloseTo(plain.curves.train[0]!, 9);
    }
  });

  it('is no start of a decision, and goes with no other start', async () => {
    const kernel = await loadKernel();
    const data = arrange();
    const labels = new Uint8Array(data.rowCount);
    expect(() => trainConditional(kernel, data, decisionOf(2, labels), options)).toThrow(
      /groups of exclusive columns of a decision.*rows of 0 and 1/s,
    );
    for (const own of [{ start: 'logistic' }, { pseudoCount: 1 }] as const)
      expect(() => trainConditional(kernel, data, 2, { ...options, ...own })).toThrow(
        /groups of exclusive columns, and/,
      );
  });
});
