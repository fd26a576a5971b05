import { BitMatrix, type FieldRows } from '@orchard/dataset';
import { decisionOf, loadKernel, TrainingData, type Kernel } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, expect, test } from 'vitest';
import { certainTree, RULE_LEAVES } from './certain-tree.js';

let kernels: readonly Kernel[];
beforeAll(async () => {
  kernels = [await loadKernel('reference'), await loadKernel('wasm')];
});

const PREDICTORS = 24;

/** Rows of fair coins, and a last column that is `label` of them. */
function dataOf(
  rows: readonly [number, number],
  seed: number,
  label: (bits: readonly number[], row: number, stream: RandomStream) => number,
): TrainingData {
  const stream = new RandomStream(seed, 1006);
  const split = (count: number, first: number): BitMatrix =>
    BitMatrix.fromRows(
      Array.from({ length: count }, (_, row) => {
        const bits = Array.from({ length: PREDICTORS }, () => stream.below(2));
        return [...bits, label(bits, first + row, stream)].join('');
      }),
    );
  return TrainingData.arrange(
    { train: split(rows[0], 0), valid: split(rows[1], rows[0]), test: null },
    { threads: 1, leaves: RULE_LEAVES },
  );
}

/** Of the last column; rows that `skips` says do not reach it. */
function treeOf(data: TrainingData, skips: (row: number) => boolean = () => false): ReturnType<typeof certainTree> {
  const labels = Uint8Array.from({ length: data.rowCount }, (_, row) => (skips(row) ? 2 : data.bit(row, PREDICTORS)));
  const [plain, fast] = kernels.map((kernel) => certainTree(kernel, data, decisionOf(PREDICTORS, labels)));
  expect(fast).toEqual(plain);
  return fast!;
}

test('a rule of one bit makes its leaf certain by the number of its rows, and leaves the other as it is', () => {
  const data = dataOf([400, 100], 1, ([, , c], _, stream) => (c === 1 ? 0 : stream.below(2)));
  const rows = Array.from({ length: 500 }, (_, row) => data.bit(row, 2)).filter((bit) => bit === 1).length;
  expect(treeOf(data)).toEqual({
    ...{ splitLeaf: [0], splitPredictor: [2], splitGain: new Float64Array(1) },
    leafFactor: [1, 1 / (rows + 1)],
  });
});

test('a rule of two bits is found, and one that says what is instead of what is not', () => {
  const tree = treeOf(
    dataOf([900, 100], 2, (bits, _, stream) => (bits[3] === 1 && bits[7] === 0 ? 1 : stream.below(2))),
  )!;
  expect([...new Set(tree.splitPredictor as number[])].sort()).toEqual([3, 7]);
  expect((tree.leafFactor as number[]).filter((factor) => factor !== 1)).toEqual([
    expect.toSatisfy((n: number) => n > 200),
  ]);
});

test('chance makes no rule', () => {
  for (let seed = 10; seed < 40; seed++) {
    for (const share of [2, 10, 50]) {
      const data = dataOf([seed * 10, 40], seed, (_bits, _row, stream) => (stream.below(share) === 0 ? 1 : 0));
      expect(treeOf(data)).toBeNull();
    }
  }
});

test('nor does what one row breaks, in training or in validation', () => {
  const rule = ([, , c]: readonly number[]): number => c!;
  expect(treeOf(dataOf([400, 100], 3, rule))).not.toBeNull();
  const broken = (at: number) =>
    treeOf(dataOf([400, 100], 3, (bits, row) => (row === at ? 1 - rule(bits) : rule(bits))));
  for (const at of [200, 450]) {
    // the half that the row is not in follows the rule all the same
    expect((broken(at)!.leafFactor as number[]).filter((factor) => factor !== 1)).toHaveLength(1);
  }
});

test('rows that do not reach the decision are not asked', () => {
  const data = dataOf([400, 100], 4, (bits, _, stream) => (bits[5] === 1 ? bits[6]! : stream.below(2)));
  expect(treeOf(data, (row) => data.bit(row, 5) === 0)!.splitPredictor).toEqual([6]);
});

test('few rows tell nothing, and a decision without predictors or doubt has no rules', () => {
  expect(treeOf(dataOf([6, 3], 5, ([a]) => a!))).toBeNull();
  expect(treeOf(dataOf([60, 30], 6, () => 1))).toBeNull();
  const data = dataOf([60, 30], 7, ([a]) => a!);
  const labels = Uint8Array.from({ length: 90 }, (_, row) => data.bit(row, PREDICTORS));
  expect(certainTree(kernels[1]!, data, decisionOf(0, labels))).toBeNull();
});

/** Rows of bits as those of a table of yes and no, each so many times. */
function repeated(bits: BitMatrix, times: number): FieldRows {
  const [rows, dimensions] = [times * bits.rows, bits.dimensions];
  const fields = Array.from({ length: dimensions }, (_, at) => ({
    ...{ start: at, end: at + 1, codes: 2, sets: null },
    ranges: Uint16Array.of(1, 2),
  }));
  const layout = { predictors: dimensions, fields, stride: Math.ceil(dimensions / 8) * 8 };
  const bytes = new Uint8Array(rows * layout.stride);
  for (let row = 0; row < rows; row++)
    for (let bit = 0; bit < dimensions; bit++)
      bytes[row * layout.stride + bit] = bits.get(Math.floor(row / times), bit);
  return { rows, dimensions, layout, bytes };
}

function dataOfRepeats(rows: number, times: number, label: (coins: readonly number[]) => number): TrainingData {
  const stream = new RandomStream(9, 1006);
  const bits = BitMatrix.fromRows(
    Array.from({ length: rows }, () => {
      const coins = Array.from({ length: PREDICTORS + 1 }, () => stream.below(2));
      return [...coins.slice(0, PREDICTORS), label(coins)].join('');
    }),
  );
  return TrainingData.arrange(
    { train: repeated(bits, times), valid: null, test: null },
    { threads: 1, leaves: RULE_LEAVES, areWeighed: true },
  );
}

test('rows that stand several times are a rule by how many they are, not by their repeats', () => {
  const byChance = (coins: readonly number[]): number => coins[PREDICTORS]!;
  expect(treeOf(dataOfRepeats(24, 1, byChance))).toBeNull();
  expect(treeOf(dataOfRepeats(24, 12, byChance))).toBeNull();
  const byRule = (coins: readonly number[]): number => (coins[2] === 1 ? 0 : coins[PREDICTORS]!);
  const once = treeOf(dataOfRepeats(400, 1, byRule));
  expect(once!.splitPredictor).toEqual([2]);
  const several = treeOf(dataOfRepeats(400, 12, byRule))!;
  expect(several.splitPredictor).toEqual([2]);
  expect(several.leafFactor[1]).toBeCloseTo(once!.leafFactor[1]!, 4);
});
