import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadKernel } from './index.js';
import type { Conditional, GrowthOptions, GrownTree, Kernel } from './kernel.js';
import { labelsOf, type Target } from './target.js';
import { TrainingData } from './training-data.js';
import { leafFactors, leafValues, type LeafValueOptions } from './tree-values.js';

/** Bits of doubles, so that comparison is of bits and not of values. */
const bitsOf = (values: Float64Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');

export interface Round {
  readonly tree: GrownTree;
  readonly values: Float64Array;
  readonly likelihoods: { train: number; valid: number; test: number };
}

const paper = { shrinkage: 0.1, l2: 0, maxLeafValue: Infinity };

/** A grown tree that outlives the next one. */
function kept({ splitLeaf, splitPredictor, splitGain, residual, weight }: GrownTree): GrownTree {
  return {
    splitLeaf: splitLeaf.slice(),
    splitPredictor: splitPredictor.slice(),
    splitGain: splitGain.slice(),
    residual: residual.slice(),
    weight: weight.slice(),
  };
}

/** Some rounds of a conditional, with everything that a kernel must agree on. */
export function boost(
  conditional: Conditional,
  rounds: number,
  values = paper,
  allowed?: (round: number) => Uint8Array,
  rows?: (round: number) => Uint32Array | undefined,
): Round[] {
  return Array.from({ length: rounds }, (_, round) => {
    const tree = kept(conditional.grow(allowed?.(round), rows?.(round)));
    conditional.apply(leafFactors(tree, values));
    return { tree, values: leafValues(tree, values), likelihoods: conditional.logLikelihoods() };
  });
}

/** At most so many of the training rows that reach a target, others each round; all where there are no more. */
export function sampler(
  data: TrainingData,
  target: Target,
  count: number,
): ((round: number) => Uint32Array | undefined) | undefined {
  const labels = labelsOf(data, target);
  const training = Uint32Array.from(labels.keys()).filter((row) => labels[row]! < 2 && data.splitOf(row) === 0);
  if (training.length <= count) return undefined;
  return (round) => {
    const stream = new RandomStream(round, 95);
    // of two neighbours in a random order either comes first
    return training
      .map((row) => row * 1024 + stream.below(1024))
      .sort((a, b) => (a % 1024) - (b % 1024))
      .slice(0, count)
      .map((mixed) => Math.floor(mixed / 1024));
  };
}

const unasked = { train: 0, valid: 0, test: 0 };

/**
 * The trees of `rounds` with sums of their own, as a refit or a replay has them. Not every round is asked for its
 * likelihoods, since a kernel may put off what is not asked for.
 */
export function follow(conditional: Conditional, rounds: readonly Round[], values: LeafValueOptions): Round[] {
  return rounds.map(({ tree }, round) => {
    const { residual, weight } = conditional.follow(tree);
    const sums = { residual: residual.slice(), weight: weight.slice() };
    conditional.apply(leafFactors(sums, values));
    const likelihoods = round % 3 === 0 ? unasked : conditional.logLikelihoods();
    return { tree: { ...tree, ...sums }, values: leafValues(sums, values), likelihoods };
  });
}

export function expectSameRounds(actual: Round[], expected: Round[]): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((round, index) => {
    const other = expected[index]!;
    const where = `round ${index}`;
    expect(Array.from(round.tree.splitLeaf), where).toEqual(Array.from(other.tree.splitLeaf));
    expect(Array.from(round.tree.splitPredictor), where).toEqual(Array.from(other.tree.splitPredictor));
    expect(bitsOf(round.tree.splitGain), where).toBe(bitsOf(other.tree.splitGain));
    expect(bitsOf(round.tree.residual), where).toBe(bitsOf(other.tree.residual));
    expect(bitsOf(round.tree.weight), where).toBe(bitsOf(other.tree.weight));
    expect(bitsOf(round.values), where).toBe(bitsOf(other.values));
    for (const split of ['train', 'valid', 'test'] as const) {
      const error = Math.abs(round.likelihoods[split] - other.likelihoods[split]);
      expect(error, `${where}, ${split}`).toBeLessThanOrEqual(1e-12 * Math.abs(other.likelihoods[split]));
    }
  });
}

export const paperGrowth = (leaves: number): GrowthOptions => ({ leaves, minLeafWeight: 0, l2: 0, startOdds: 1 });

/**
 * Random rows whose dimensions depend on each other, with duplicates, constant columns and equal columns among them.
 */
export function randomMatrix(seed: number, rows: number, dimensions: number, distinct = rows): BitMatrix {
  const stream = new RandomStream(seed, 99);
  const density = 0.1 + 0.8 * stream.uniform();
  const prototypes = Array.from({ length: distinct }, () => {
    const row = new Array<number>(dimensions);
    for (let dim = 0; dim < dimensions; dim++) {
      if (dim % 11 === 5) row[dim] = 1;
      else if (dim % 7 === 3) row[dim] = row[dim - 1]!;
      else if (dim % 13 === 6) row[dim] = 1 - row[dim - 2]!;
      else if (dim > 1 && stream.uniform() < 0.6)
        row[dim] = row[dim - 1]! ^ (row[dim - 2]! & (stream.below(4) ? 1 : 0));
      else row[dim] = stream.uniform() < density ? 1 : 0;
    }
    return row;
  });
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++) {
    const prototype = prototypes[row < distinct ? row : stream.below(distinct)]!;
    for (let dim = 0; dim < dimensions; dim++) if (prototype[dim]) matrix.set(row, dim, 1);
  }
  return matrix;
}

/** Rows of one-hot blocks of 2 to 12 columns that depend on each other; some blocks have rows without a one. */
export function oneHotMatrix(seed: number, rows: number, dimensions: number): BitMatrix {
  const stream = new RandomStream(seed, 98);
  const blocks: { start: number; width: number; sparse: boolean }[] = [];
  for (let start = 0; start < dimensions;) {
    const width = Math.min(dimensions - start, 2 + stream.below(11));
    blocks.push({ start, width, sparse: stream.below(3) === 0 });
    start += width;
  }
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++) {
    let value = 0;
    for (const { start, width, sparse } of blocks) {
      value = (stream.below(4) === 0 ? stream.below(width) : value) % width;
      if (!sparse || stream.below(4) > 0) matrix.set(row, start + value, 1);
    }
  }
  return matrix;
}

/** What every kernel must do. The fast one is held against the reference, the reference against hand-made cases. */
export function kernelSuite(kind: Kernel['kind']): void {
  describe(`the ${kind} kernel`, () => {
    let kernel: Kernel;
    let reference: Kernel;
    beforeAll(async () => {
      kernel = await loadKernel(kind);
      reference = await loadKernel('reference');
    });

    const arrange = (train: BitMatrix, valid: BitMatrix | null = null, test: BitMatrix | null = null, leaves = 64) =>
      TrainingData.arrange({ train, valid, test }, { threads: 1, leaves });

    it('splits on the only informative predictor and takes S/W as the leaf values', () => {
      const data = arrange(BitMatrix.fromRows(['000', '010', '101', '111']));
      const [round] = boost(kernel.conditional(data, 2, paperGrowth(4), true), 1);
      expect(Array.from(round!.tree.splitPredictor)).toEqual([0]);
      // r = ±1/2, w = 1/4: S0²/W0 + S1²/W1 - S²/W = 2 + 2 - 0
      expect(Array.from(round!.tree.splitGain)).toEqual([4]);
      expect(Array.from(round!.values)).toEqual([-2, 2]);
      expect(round!.likelihoods.train).toBeCloseTo(4 * Math.log(1 / (1 + Math.exp(-0.2))), 12);
    });

    it('gives ties to the earlier predictor, also between a column and its complement', () => {
      const data = arrange(BitMatrix.fromRows(['0110', '0110', '1001', '1001', '0110']));
      for (const first of [0, 1, 2]) {
        const allowed = Uint8Array.from([0, 1, 2], (predictor) => (predictor >= first ? 1 : 0));
        const tree = kernel.conditional(data, 3, paperGrowth(2), true).grow(allowed);
        expect(Array.from(tree.splitPredictor)).toEqual([first]);
      }
    });

    it('grows a single leaf where nothing can be gained: no predictors, equal rows, a constant target', () => {
      const cases: [string[], number][] = [
        [['01', '11', '01'], 0],
        [['01', '00', '01'], 1],
        [['01', '11', '01'], 1],
        [['1'], 0],
      ];
      for (const [rows, position] of cases) {
        const rounds = boost(kernel.conditional(arrange(BitMatrix.fromRows(rows)), position, paperGrowth(8), true), 3);
        for (const { tree } of rounds) expect(tree.splitLeaf.length).toBe(0);
      }
    });

    it('agrees with the reference bit for bit on random data, options and splits', () => {
      fc.assert(
        fc.property(
          fc.record({
            seed: fc.nat(1e6),
            rows: fc.integer({ min: 1, max: 400 }),
            dimensions: fc.integer({ min: 1, max: 40 }),
            oneHot: fc.boolean(),
            distinctShare: fc.constantFrom(0.02, 0.3, 1),
            leaves: fc.constantFrom(1, 2, 3, 8, 40, 500),
            valid: fc.integer({ min: 0, max: 90 }),
            test: fc.integer({ min: 0, max: 60 }),
            l2: fc.constantFrom(0, 0.3, 5),
            minLeafWeight: fc.constantFrom(0, 0.1, 2),
            maxLeafValue: fc.constantFrom(Infinity, 2, 0.5),
            startOdds: fc.constantFrom(1, 0.3, 1e-3),
            restricted: fc.boolean(),
            gradients: fc.constantFrom('newton' as const, 'newton' as const, 'first' as const),
            // 0: trees grow on all rows
            sampled: fc.constantFrom(0, 0, 1, 5, 130),
            // patterns are put into a new order after 2 and after 16 rounds
            rounds: fc.constantFrom(4, 4, 4, 18),
          }),
          (c) => {
            const distinct = Math.max(1, Math.floor(c.rows * c.distinctShare));
            const count = c.rows + c.valid + c.test;
            const all = c.oneHot
              ? oneHotMatrix(c.seed, count, c.dimensions)
              : randomMatrix(c.seed, count, c.dimensions, distinct);
            const range = (from: number, count: number) =>
              count === 0 ? null : all.selectRows(Array.from({ length: count }, (_, i) => from + i));
            const rowsPerTree = c.sampled === 0 ? undefined : c.sampled;
            const data = TrainingData.arrange(
              { train: range(0, c.rows)!, valid: range(c.rows, c.valid), test: range(c.rows + c.valid, c.test) },
              { threads: 1, leaves: c.leaves, rowsPerTree },
            );
            const { leaves, minLeafWeight, l2, startOdds, gradients } = c;
            const growth = { leaves, minLeafWeight, l2, startOdds, gradients };
            const values = { shrinkage: 0.3, l2: c.l2, maxLeafValue: c.maxLeafValue };
            // one after the other in the same workspace: nothing of a conditional may reach the next
            for (const position of new Set([c.dimensions - 1, c.dimensions >> 1, 0])) {
              const allowed = c.restricted
                ? (round: number) => Uint8Array.from({ length: position }, (_, predictor) => (predictor + round) % 2)
                : undefined;
              const rows = rowsPerTree === undefined ? undefined : sampler(data, position, rowsPerTree);
              const run = (engine: Kernel) =>
                boost(engine.conditional(data, position, growth, true), c.rounds, values, allowed, rows);
              const fast = run(kernel);
              expectSameRounds(fast, run(reference));
              const refit = (engine: Kernel) =>
                follow(engine.conditional(data.pooled(), position, growth, false), fast, values);
              expectSameRounds(refit(kernel), refit(reference));
            }
          },
        ),
        { numRuns: Number(process.env['ORCHARD_PROPERTY_RUNS'] ?? 150), seed: 20261121 },
      );
    });

    it('takes trees out of the odds and puts them back as the reference does, and grows on what is left', () => {
      fc.assert(
        fc.property(
          fc.record({
            seed: fc.nat(1e6),
            rows: fc.integer({ min: 1, max: 300 }),
            dimensions: fc.integer({ min: 1, max: 24 }),
            oneHot: fc.boolean(),
            leaves: fc.constantFrom(1, 2, 8, 40),
            held: fc.integer({ min: 0, max: 60 }),
          }),
          ({ seed, rows, dimensions, oneHot, leaves, held }) => {
            const count = rows + 2 * held;
            const all = oneHot
              ? oneHotMatrix(seed, count, dimensions)
              : randomMatrix(seed, count, dimensions, Math.ceil(count / 2));
            const range = (from: number, size: number) =>
              size === 0 ? null : all.selectRows(Array.from({ length: size }, (_, i) => from + i));
            const data = arrange(range(0, rows)!, range(rows, held), range(rows + held, held), leaves);
            const values = { shrinkage: 1, l2: 0.3, maxLeafValue: 2 };
            const run = (engine: Kernel): Round[] => {
              const conditional = engine.conditional(data, dimensions - 1, paperGrowth(leaves), true);
              const made: { splitLeaf: Uint32Array; splitPredictor: Uint32Array; leafFactor: Float64Array }[] = [];
              return Array.from({ length: 12 }, (_, round) => {
                const out = made.filter((_tree, at) => (at * 7 + round) % 3 === 0);
                conditional.applyAll(
                  out.map((tree) => ({ ...tree, leafFactor: tree.leafFactor.map((one) => 1 / one) })),
                );
                const likelihoods = conditional.logLikelihoods();
                const tree = kept(conditional.grow());
                made.push({ ...tree, leafFactor: leafFactors(tree, values) });
                // by itself in some rounds, as where no tree was taken out: the next may be given or grown
                if (round % 4 < 2) conditional.applyAll([...out, made.at(-1)!]);
                else {
                  conditional.apply(made.at(-1)!.leafFactor);
                  if (out.length > 0) conditional.applyAll(out);
                }
                return round % 2 === 0
                  ? { tree, values: leafValues(tree, values), likelihoods }
                  : { tree, values: leafValues(tree, values), likelihoods: conditional.logLikelihoods() };
              });
            };
            expectSameRounds(run(kernel), run(reference));
          },
        ),
        { numRuns: Number(process.env['ORCHARD_PROPERTY_RUNS'] ?? 60), seed: 20261123 },
      );
    });

    it('splits by residuals alone where it is asked to, and sums weights in the leaves all the same', () => {
      const rows = [...Array<string>(40).fill('000'), ...Array<string>(9).fill('110'), '111', '011', '011'];
      const data = arrange(BitMatrix.fromRows([...rows, ...Array<string>(6).fill('101')]));
      const tree = kernel.conditional(data, 2, { ...paperGrowth(2), gradients: 'first' }, true).grow();
      // r = ±1/2: column 0 has 7 of 16 ones on its 1 side, 2 of 42 on its 0 side; n is four times W here
      expect(Array.from(tree.splitPredictor)).toEqual([0]);
      expect(Array.from(tree.residual)).toEqual([2 - 21, 7 - 8]);
      expect(Array.from(tree.weight)).toEqual([42 / 4, 16 / 4]);
      expect(tree.splitGain[0]).toBe((19 * 19) / 42 + 1 / 16 - (20 * 20) / 58);
    });

    it('keeps likelihoods finite when odds reach their bounds', () => {
      const data = arrange(BitMatrix.fromRows(['00', '11', '00', '11']), BitMatrix.fromRows(['01', '10', '00']));
      const conditional = kernel.conditional(data, 1, paperGrowth(2), true);
      for (let round = 0; round < 3; round++) {
        const tree = conditional.grow();
        conditional.apply(Float64Array.from(tree.residual, (sum) => (sum < 0 ? 1e-250 : 1e250)));
        const { train, valid } = conditional.logLikelihoods();
        expect(train).toBeLessThanOrEqual(0);
        expect(valid).toBeGreaterThan(-2000);
        expect(Number.isFinite(valid)).toBe(true);
      }
    });
  });
}
