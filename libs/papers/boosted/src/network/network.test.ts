import { createHash } from 'node:crypto';
import { attachRows, BitMatrix, shareRows, type CountedRows } from '@orchard/dataset';
import { ModelError, openModel, untold, type Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { BayesianNetwork, bayesianNetworkCodecs } from './bayesian-network.js';
import { edgesOf, lineOf, type DecisionTables } from './decision-tables.js';
import { NetworkLearner } from './learn-network.js';

/** Rows in which a column is mostly the exclusive or of the two before it, which no pair of columns tells. */
function rowsOf(count: number, { dimensions, names, shape }: Variables, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1040);
  const matrix = BitMatrix.create(count, dimensions, { names, shape });
  for (let row = 0; row < count; row++)
    for (let dim = 0; dim < dimensions; dim++) {
      const told = dim % 3 === 2 ? matrix.get(row, dim - 1) ^ matrix.get(row, dim - 2) : stream.below(3) === 0 ? 1 : 0;
      matrix.set(row, dim, stream.below(8) === 0 ? told === 0 : told === 1);
    }
  return matrix;
}

const variables = { dimensions: 6, names: null, shape: null };
const counted = (rows: BitMatrix): CountedRows => attachRows(shareRows(rows));
const train = counted(rowsOf(500, variables, 1));
const learn = (options: object, weights = train.counts): DecisionTables =>
  new NetworkLearner(train, { parents: 2, edges: 5, pseudoCount: 1, ...options }).learn(weights);
const modelOf = (tables: DecisionTables, head: Variables = variables): BayesianNetwork =>
  new BayesianNetwork({ ...head, specification: null, likelihoods: untold }, tables);

describeDensityModel('a network of decision tables', {
  codec: bayesianNetworkCodecs[0]!,
  make: (head) =>
    modelOf(
      new NetworkLearner(counted(rowsOf(300, head, 2)), { parents: 3, edges: 20, pseudoCount: 1 }).learn(
        counted(rowsOf(300, head, 2)).counts,
      ),
      head,
    ),
});

describe('a network is learned', () => {
  test.each([0, 1, 3, 5, 8])('with as many edges as may be, %i, each of which gains', (edges) => {
    const likelihoods = [0, edges].map((most) => meanOf(learn({ edges: most })));
    const tables = learn({ edges });
    expect(edgesOf(tables)).toBe(edges);
    if (edges > 0) expect(likelihoods[1]).toBeGreaterThan(likelihoods[0]! + 1e-4);
  });

  test.each([1, 2, 3])('with at most %i parents a column', (parents) => {
    const most = learn({ edges: 100, parents }).parents.reduce((high, { length }) => Math.max(high, length), 0);
    expect(most).toBe(parents);
  });

  test('with tables of the weighted rows and of pseudo-rows that are spread over the lines', () => {
    const stream = new RandomStream(3, 1041);
    const weights = train.counts.map(() => 2 * stream.uniform());
    const tables = learn({ pseudoCount: 4 }, weights);
    tables.parents.forEach((parents, column) => {
      const lines = 2 ** parents.length;
      const ones = train.counts.reduce((sum, count, row) => sum + count * train.distinct.get(row, column), 0);
      const rate = (ones + 1) / (train.rows + 2);
      for (let line = 0; line < lines; line++) {
        let [one, all] = [(4 / lines) * rate, 4 / lines];
        weights.forEach((weight, row) => {
          const values = Array.from({ length: 6 }, (_, dim) => train.distinct.get(row, dim));
          if (lineOf(parents, values) !== line) return;
          one += weight * values[column]!;
          all += weight;
        });
        expect(tables.rates[column]![line]).toBeCloseTo(one / all, 12);
      }
    });
  });

  test('so that no edge that could be added or turned gains: gains that are kept are those that are counted anew', () => {
    // one edge less may be: the climb has ended at a top of all changes
    const tables = learn({ edges: 4, parents: 2 });
    const best = scoreOf(tables);
    for (let child = 0; child < 6; child++)
      for (let parent = 0; parent < 6; parent++) {
        if (!tables.parents[parent]!.includes(child) || tables.parents[child]!.length === 2) continue;
        const turned = tables.parents.map((own, column) => {
          if (column === parent) return own.filter((other) => other !== child);
          return column === child ? Uint32Array.from([...own, parent]).sort() : own;
        });
        const score = tryScore(turned);
        if (score !== null) expect(score).toBeLessThan(best + 1e-6);
      }
  });
});

test.each([
  ['a circle', [[1], [0]], [2, 2]],
  ['a column that is its own parent', [[0], []], [2, 1]],
  ['a parent that is no column', [[2], []], [2, 1]],
  ['parents that do not ascend', [[1, 1], []], [4, 1]],
  ['a table of another size', [[1], []], [1, 1]],
] as const)('%s is refused', (_, parents, sizes) => {
  const tables = {
    parents: parents.map((own) => Uint32Array.from(own)),
    rates: sizes.map((size) => new Float64Array(size).fill(0.5)),
  };
  expect(() => modelOf(tables, { ...variables, dimensions: 2 })).toThrow(RangeError);
});

test('a file of an earlier release, which called it a decision network, is read and answers the same', () => {
  const model = modelOf(learn({}));
  const text = Buffer.from(model.toBytes());
  const at = text.indexOf('bayesian-network');
  text.write('decision-network', at);
  const former = openModel(sealed(text), bayesianNetworkCodecs);
  expect(former.family).toBe('bayesian-network');
  expect(former.logLikelihood(train.distinct)).toEqual(model.logLikelihood(train.distinct));
});

test('a file whose arrays contradict each other is refused', () => {
  const bytes = modelOf(learn({})).toBytes();
  const head = { family: 'bayesian-network', ...variables, specification: null, likelihoods: untold };
  expect(bytes.length).toBeGreaterThan(0);
  const body = {
    requireOnly: () => undefined,
    integers: (key: string, count: number) => new Uint32Array(count).fill(key === 'counts' ? 1 : 0),
    floats: (_: string, count: number) => new Float64Array(count).fill(0.5),
  };
  expect(() => bayesianNetworkCodecs[0]!.read(head, body as never)).toThrow(ModelError);
});

/** A file whose checksum is that of its bytes. */
function sealed(file: Buffer): Buffer {
  const content = file.subarray(0, -32);
  return Buffer.concat([content, createHash('sha256').update(content).digest()]);
}

/** Mean nats of the training rows. */
function meanOf(tables: DecisionTables): number {
  const nats = modelOf(tables).logLikelihood(train.distinct);
  return nats.reduce((sum, each, row) => sum + train.counts[row]! * each, 0) / train.rows;
}

/** Likelihood of the rows and of the pseudo-row, that the climb raises. */
function scoreOf({ parents }: DecisionTables): number {
  return tryScore(parents)!;
}

function tryScore(parents: readonly Uint32Array[]): number | null {
  let score = 0;
  parents.forEach((own, column) => {
    const lines = 2 ** own.length;
    const ones = train.counts.reduce((sum, count, row) => sum + count * train.distinct.get(row, column), 0);
    const rate = (ones + 1) / (train.rows + 2);
    const cells = Array.from({ length: 2 * lines }, (_, cell) => (cell % 2 === 1 ? rate : 1 - rate) / lines);
    train.counts.forEach((count, row) => {
      const values = Array.from({ length: 6 }, (_, dim) => train.distinct.get(row, dim));
      cells[2 * lineOf(own, values) + values[column]!]! += count;
    });
    for (let line = 0; line < lines; line++) {
      const all = cells[2 * line]! + cells[2 * line + 1]!;
      for (const each of cells.slice(2 * line, 2 * line + 2)) score += each * Math.log(each / all);
    }
  });
  try {
    const rates = parents.map((own) => new Float64Array(2 ** own.length).fill(0.5));
    modelOf({ parents, rates });
    return score;
  } catch {
    return null;
  }
}
