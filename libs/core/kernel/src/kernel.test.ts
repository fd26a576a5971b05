import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BitMatrix } from '@orchard/dataset';
import { beforeAll, describe, expect, it } from 'vitest';
import { decisionOf, leafFactors, leafValues, loadKernel, threadsThatFit, TrainingData } from './index.js';
import type { Kernel } from './kernel.js';
import { boost, expectSameRounds, kernelSuite, oneHotMatrix, paperGrowth, randomMatrix } from './kernel.suite.js';

kernelSuite('reference');
kernelSuite('wasm');

interface Golden {
  readonly data: string;
  readonly leaves: number;
  readonly shrinkage: number;
  readonly conditionals: {
    readonly dimension: number;
    readonly train: number[];
    readonly valid: number[];
    readonly trees: { readonly splits: [number, number, number][]; readonly values: number[] }[];
  }[];
}

const inProject = new URL('../../../../test/data/', import.meta.url);
const shared = new URL('../../../../../shared/', import.meta.url);
const dataFolder = process.env['ORCHARD_DATA']
  ? new URL(`file://${process.env['ORCHARD_DATA']}/`)
  : new URL('data/', shared);

const readRows = (url: URL) =>
  BitMatrix.fromRows(
    gunzipSync(readFileSync(url))
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(',', '')),
  );
const firstThatIs = (...urls: URL[]) => urls.find((url) => existsSync(url));

describe('golden conditionals of an independent implementation', () => {
  let kernels: Kernel[];
  beforeAll(async () => {
    kernels = [await loadKernel('wasm'), await loadKernel('reference')];
  });

  for (const name of ['dna-J16', 'mushrooms-J8', 'adult-J2', 'nltcs-J8', 'plants-J32', 'ocr_letters-J64']) {
    const golden = firstThatIs(new URL(`golden/${name}.json.gz`, inProject), new URL(`golden/${name}.json.gz`, shared));
    const set = name.split('-')[0]!;
    const train = firstThatIs(new URL(`${set}/train.data.gz`, inProject), new URL(`${set}/train.data.gz`, dataFolder));
    it.skipIf(golden === undefined || train === undefined)(
      `${name}: the same trees and values, and curves to 1e-9`,
      () => {
        const { conditionals, leaves, shrinkage } = JSON.parse(gunzipSync(readFileSync(golden!)).toString()) as Golden;
        const splits = { train: readRows(train!), valid: readRows(new URL('valid.data.gz', train!)), test: null };
        const data = TrainingData.arrange(splits, { threads: 1, leaves });
        for (const { dimension, train, valid, trees } of conditionals) {
          // the reference is slow: it takes the small sets only
          for (const kernel of splits.train.rows * dimension > 300_000 ? kernels.slice(0, 1) : kernels) {
            const conditional = kernel.conditional(data, dimension, paperGrowth(leaves), true);
            const rounds = boost(conditional, kernel.kind === 'wasm' ? trees.length : 3, {
              shrinkage,
              l2: 0,
              maxLeafValue: Infinity,
            });
            rounds.forEach(({ tree, values, likelihoods }, round) => {
              const where = `${kernel.kind}, dimension ${dimension}, round ${round}`;
              const splits = Array.from(tree.splitLeaf, (leaf, split) => [leaf, tree.splitPredictor[split]]);
              expect(splits, where).toEqual(trees[round]!.splits.map(([leaf, predictor]) => [leaf, predictor]));
              trees[round]!.splits.forEach(([, , gain], split) => {
                expect(Math.abs(tree.splitGain[split]! / gain - 1), where).toBeLessThan(1e-9);
              });
              trees[round]!.values.forEach((value, leaf) => {
                expect(Math.abs(values[leaf]! - value), where).toBeLessThanOrEqual(1e-9 * Math.abs(value));
              });
              expect(Math.abs(likelihoods.train / train[round + 1]! - 1), where).toBeLessThan(1e-9);
              expect(Math.abs(likelihoods.valid / valid[round + 1]! - 1), where).toBeLessThan(1e-9);
            });
          }
        }
      },
    );
  }
});

describe('sizes at which the fast kernel takes other paths', () => {
  let wasm: Kernel;
  let reference: Kernel;
  beforeAll(async () => {
    wasm = await loadKernel('wasm');
    reference = await loadKernel('reference');
  });

  const cases = [
    { what: 'more than 65,536 distinct rows', rows: 100_000, dimensions: 24, distinct: 100_000, leaves: 4, rounds: 1 },
    { what: 'many equal rows', rows: 100_000, dimensions: 6, distinct: 100_000, leaves: 8, rounds: 3 },
    { what: '2,500 dimensions', rows: 60, dimensions: 2500, distinct: 60, leaves: 6, rounds: 2 },
    // enough rows for tables of whole bytes
    { what: '2,500 dimensions and more rows', rows: 400, dimensions: 2500, distinct: 400, leaves: 6, rounds: 3 },
    { what: 'more than 65,536 values of bytes', rows: 400, dimensions: 3500, distinct: 400, leaves: 4, rounds: 3 },
    { what: 'more than 256 leaves', rows: 3000, dimensions: 20, distinct: 3000, leaves: 400, rounds: 4 },
    { what: 'more leaves than are possible', rows: 300, dimensions: 9, distinct: 300, leaves: 5000, rounds: 4 },
    // some blocks of columns: groups that end within a block, before the last predictor, at it
    ...[96, 97, 120, 150].map((dimensions) => ({
      what: `one-hot data of ${dimensions} dimensions`,
      ...{ rows: 4000, dimensions, distinct: null, leaves: 12, rounds: 3 },
    })),
  ];
  it.each(cases)('$what', ({ rows, dimensions, distinct, leaves, rounds }) => {
    const all =
      distinct === null
        ? oneHotMatrix(dimensions, rows + 50, dimensions)
        : randomMatrix(rows + dimensions, rows + 50, dimensions, distinct);
    const part = (from: number, to: number) =>
      all.selectRows(Array.from({ length: to - from }, (_, row) => from + row));
    const data = TrainingData.arrange(
      { train: part(0, rows), valid: part(rows, rows + 50), test: null },
      { threads: 1, leaves },
    );
    const run = (kernel: Kernel) => boost(kernel.conditional(data, dimensions - 1, paperGrowth(leaves), true), rounds);
    expectSameRounds(run(wasm), run(reference));
  });
});

it('does what the README shows', async () => {
  const train = BitMatrix.fromRows(['00', '00', '11', '11']);
  const data = TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 2 });
  const kernel = await loadKernel();
  const conditional = kernel.conditional(data, 1, { leaves: 2, minLeafWeight: 0, l2: 0, startOdds: 1 }, true);
  const tree = conditional.grow();
  const paper = { shrinkage: 0.02, l2: 0, maxLeafValue: Infinity };
  expect([Array.from(tree.splitPredictor), Array.from(tree.splitGain)]).toEqual([[0], [4]]);
  expect(Array.from(leafValues(tree, paper))).toEqual([-2, 2]);
  conditional.apply(leafFactors(tree, paper));
  expect(conditional.logLikelihoods().train.toFixed(3)).toBe('-2.693');

  const labels = Uint8Array.from({ length: data.rowCount }, (_, row) => (data.bit(row, 0) ? data.bit(row, 1) : 2));
  const growth = { leaves: 2, minLeafWeight: 0, l2: 0, startOdds: 1 };
  const decision = kernel.conditional(data, decisionOf(1, labels), growth, true);
  expect(decision.logLikelihoods().train).toBeCloseTo(-2 * Math.LN2, 12);

  const large = { rows: 600_000, dimensions: 784 };
  const { threads } = threadsThatFit({ train: large, valid: null, test: null }, { leaves: 32, threads: 32 });
  expect(threads).toBe(17);
});
