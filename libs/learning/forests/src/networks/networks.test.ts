import { categorical, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { chowLiuOfCodes, codeProduct } from '../code-forest-of.js';
import { CodeNetwork, type NetworkVariable } from './code-network.js';
import { CodeNetworkLearner } from './code-network-of.js';
import { codeTreeOf } from './code-trees.js';
import { GroupedRows, leftOutNats } from './grouped-rows.js';

const variables = [3, 3, 4, 2].map((labels, index) => categorical(`v${String(index)}`, labels));
const table = tableOfVariables(variables);

/** v2 follows from v0 and v1 together, v3 from nothing; with some noise. */
function rowsOf(count: number, seed: number): Uint16Array[] {
  const stream = new RandomStream(seed, 1071);
  const columns = variables.map(() => new Uint16Array(count));
  for (let row = 0; row < count; row++) {
    const [a, b] = [stream.below(3), stream.below(3)];
    const c = stream.below(8) === 0 ? stream.below(4) : Math.min(3, a + b);
    [a, b, c, stream.below(2)].forEach((code, index) => (columns[index]![row] = code));
  }
  return columns;
}

const train = rowsOf(400, 1);
const ones = new Float64Array(400).fill(1);
const grouped = (columns: readonly Uint16Array[], counts: Float64Array): GroupedRows =>
  new GroupedRows({ table, columns, counts, valid: columns }, codeProduct(table, columns, 4).forest);
const rows = grouped(train, ones);
const sized = (parents: number, edges: number) => new CodeNetworkLearner(rows, { parents, edges, pseudoCount: 4 });

function natsOf(made: Pick<CodeNetwork, 'addCells'>, columns: readonly Uint16Array[]): number {
  const nats = new Float64Array(columns[0]!.length);
  made.addCells(columns, nats, 'sums');
  return nats.reduce((sum, each) => sum + each, 0) / nats.length;
}

test('a row is judged by the cells without it, whatever the weights of equal rows are', () => {
  const stream = new RandomStream(2, 1072);
  const lines = Array.from({ length: 60 }, () => stream.below(3));
  const groups = lines.map(() => stream.below(2));
  const margin = Float64Array.of(0.4, 0.6);
  const weights = new Float64Array(6);
  lines.forEach((line, row) => (weights[2 * line + groups[row]!]! += 1.5));
  // every row weighs as much, so that the mean weight of a cell is that of each of its rows
  const squares = weights.map((weight) => 1.5 * weight);
  const expected = lines.reduce((sum, line, row) => {
    const others = weights[2 * line + groups[row]!]! - 1.5 + 2 * margin[groups[row]!]!;
    return sum + 1.5 * Math.log(others / (weights[2 * line]! + weights[2 * line + 1]! - 1.5 + 2));
  }, 0);
  expect(leftOutNats({ weights, squares, lines: 3, strides: [2, 1] }, margin, 6)).toBeCloseTo(expected, 9);
});

describe('a tree of weighted rows', () => {
  test('joins what belongs together and has no edge of chance', () => {
    const { forest, information } = codeTreeOf(rows, ones, 4);
    const edges = forest.variables.flatMap(({ parent }, index) => (parent < 0 ? [] : [[index, parent].sort().join()]));
    expect(edges.sort()).toEqual(['0,2', '1,2']);
    expect(information[3]).toBe(0);
    // as the tree of all rows alike, which has groups of its own
    const tree = chowLiuOfCodes(table, train, train, { added: 4, lent: 'auto' }).forest;
    const others = rowsOf(400, 3);
    expect(natsOf(forest, others)).toBeCloseTo(natsOf(tree, others), 1);
  });

  test('is that of rows which are there as often as they weigh', () => {
    const twice = train.map((codes) => Uint16Array.from([...codes, ...codes]));
    const fromWeights = codeTreeOf(grouped(train, new Float64Array(400).fill(2)), new Float64Array(400).fill(2), 4);
    const fromRows = codeTreeOf(grouped(twice, new Float64Array(800).fill(1)), new Float64Array(800).fill(1), 4);
    expect(natsOf(fromWeights.forest, train)).toBeCloseTo(natsOf(fromRows.forest, train), 12);
    expect([...fromWeights.information]).toEqual([...fromRows.information]);
  });

  test('follows the weights: rows of weight 0 say nothing', () => {
    const weights = Float64Array.from(train[0]!, (code, row) => (code === 0 && train[1]![row] === 0 ? 1 : 0));
    const { forest } = codeTreeOf(rows, weights, 4);
    const chances = new Float64Array(4);
    forest.distributionInto(2, [0, 0, 0, 0], chances, 0);
    expect(chances[0]).toBeGreaterThan(0.7);
  });
});

describe('a network of decision tables', () => {
  test('is one distribution, and finds both parents where one tells little', () => {
    const { network, information } = sized(2, 3).learn(ones);
    let sum = 0;
    const chances = new Float64Array(4);
    for (let at = 0; at < 72; at++) {
      const codes = [at % 3, Math.floor(at / 3) % 3, Math.floor(at / 9) % 4, Math.floor(at / 36)];
      sum += codes.reduce((product, code, index) => {
        network.distributionInto(index, codes, chances, 0);
        return product * chances[code]!;
      }, 1);
    }
    // but for values that training never had
    expect(sum).toBeCloseTo(1, 8);
    const lonely = network.variables[3]!.parents.length;
    expect([lonely, network.variables.some(({ parents }) => parents.length === 2)]).toEqual([0, true]);
    expect(information.every((nats) => nats > 0.1)).toBe(true);
  });

  test.each([0, 1, 2])('has %i edges where no more may be, and each makes other rows likelier', (edges) => {
    const others = rowsOf(400, 5);
    const [fewer, more] = [Math.max(0, edges - 1), edges].map((most) => sized(2, most).learn(ones).network);
    expect(more!.variables.reduce((count, { parents }) => count + parents.length, 0)).toBe(edges);
    if (edges > 0) expect(natsOf(more!, others)).toBeGreaterThan(natsOf(fewer!, others) + 0.05);
  });

  test('has tables of the weighted rows and of a pseudo-row in each line at least', () => {
    const stream = new RandomStream(7, 1073);
    const weights = ones.map(() => 2 * stream.uniform());
    const { network } = sized(2, 3).learn(weights);
    const index = network.variables.findIndex(({ parents }) => parents.length === 2);
    const { parents, groupOf } = network.variables[index]!;
    const codes = [1, 2, 3, 0];
    const isLike = (row: number): boolean => parents.every((parent) => train[parent]![row] === codes[parent]);
    const size = variables[index]!.kind === 'categorical' ? variables[index]!.labels.length : 0;
    const expected = Array.from({ length: size }, (_, code) => {
      const count = train[index]!.reduce((sum, own) => sum + (own === code ? 1 : 0), 0);
      const rate = (count + 4 / (size + 1)) / (400 + (4 * size) / (size + 1) + 402 ** -2);
      const own = weights.reduce(
        (sum, weight, row) => (isLike(row) && train[index]![row] === code ? sum + weight : sum),
        0,
      );
      const all = weights.reduce((sum, weight, row) => (isLike(row) ? sum + weight : sum), 0);
      return (own + rate) / (all + 1);
    });
    const chances = new Float64Array(groupOf.length);
    network.distributionInto(index, codes, chances, 0);
    expected.forEach((share, code) => expect(chances[code]).toBeCloseTo(share, 9));
  });

  const alone = (parents: readonly number[], lines = 1): NetworkVariable => ({
    parents: Uint32Array.from(parents),
    groupOf: Uint16Array.of(0, 1),
    within: Float64Array.of(1, 1),
    given: new Float64Array(2 * lines).fill(0.5),
  });
  test.each([
    ['a circle', [alone([1], 2), alone([0], 2)]],
    ['a parent that is no variable', [alone([7], 2), alone([])]],
    ['a table of another size', [alone([1], 3), alone([])]],
    ['shares that do not sum to 1', [{ ...alone([]), given: Float64Array.of(0.5, 0.6) }]],
  ])('%s is refused', (_, made) => {
    expect(() => new CodeNetwork(made)).toThrow(RangeError);
  });
});
