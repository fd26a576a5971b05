import { BitMatrix, shareRows } from '@orchard/dataset';
import { chowLiuForest, countPairs, Forest, SmoothedPairs } from '@orchard/forests';
import { mixtureCodec, mixtureOf, type Mixture } from '@orchard/members';
import { isExact, openModel, type Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { loadDataset } from '@orchard/pipeline';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { entropyChoice } from './choose-column.js';
import { Cutset, cutset, CutsetTree, learnCutset, type CutsetNode } from './index.js';

const untold = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;

/** Some conditions, the other columns a chain in each leaf. */
function example({ dimensions, names, shape }: Variables, seed = 1): Cutset {
  const stream = new RandomStream(seed, 1012);
  const rate = (): number => 0.25 + 0.5 * stream.uniform();
  const grow = (columns: Uint32Array, depth: number): CutsetNode => {
    if (depth === 0 || columns.length < 3) {
      const parents = Int32Array.from(columns, (_, place) => place - 1);
      const rates = Float64Array.from({ length: 2 * columns.length }, rate);
      if (columns.length > 0) rates[1] = rates[0]!;
      return { forest: new Forest(columns, parents, rates) };
    }
    const column = columns[stream.below(columns.length)]!;
    const left = columns.filter((other) => other !== column);
    return { column, rate: rate(), zero: grow(left, depth - 1), one: grow(left, depth - 2 < 0 ? 0 : depth - 2) };
  };
  const root = grow(
    Uint32Array.from({ length: dimensions }, (_, column) => column),
    3,
  );
  return new Cutset({ dimensions, names, shape, ...untold }, new CutsetTree(root));
}

describeDensityModel('a cutset network', { codec: cutset.codec, make: (variables) => example(variables) });
describeDensityModel('a mixture of cutset networks', {
  codec: mixtureCodec([cutset.codec]),
  make: (variables) =>
    mixtureOf({
      ...untold,
      members: [example(variables, 1), example(variables, 2)],
      weights: Float64Array.of(0.7, 0.3),
    }),
});

describe('learning', () => {
  /** Column 2 is a coin that says whether 0 and 1 are equal or opposite: no tree tells that, one condition does. */
  const rows = (count: number, seed: number): BitMatrix => {
    const stream = new RandomStream(seed, 1013);
    const matrix = BitMatrix.create(count, 6);
    for (let row = 0; row < count; row++) {
      const [a, c] = [stream.below(2), stream.below(2)];
      const values = [
        a,
        stream.below(20) === 0 ? 1 - (a ^ c) : a ^ c,
        c,
        stream.below(2),
        stream.below(3) === 0 ? 1 : 0,
        1,
      ];
      values.forEach((value, dim) => {
        matrix.set(row, dim, value === 1);
      });
    }
    return matrix;
  };
  const train = rows(600, 1);
  const learned = (choose: 'random' | 'entropy' | 'likelihood', more: object = {}) => {
    const every = new Uint32Array(train.rows).fill(1);
    const options = { choose, minRows: 100, minColumns: 2, leafModel: 'chow-liu' as const, pseudoCount: 1, ...more };
    return new CutsetTree(learnCutset(train, every, options, new RandomStream(1, 1014)));
  };
  const asked = (tree: CutsetTree): number[] =>
    [...tree.nodes()].flatMap(({ node }) => ('column' in node ? [node.column] : []));

  test('by likelihood asks a column of the three that no tree tells', () => {
    const tree = learned('likelihood');
    expect([0, 1, 2]).toContain(asked(tree)[0]);
    const nats = (of: CutsetTree): number => {
      const { dimensions, names, shape } = train;
      return new Cutset({ dimensions, names, shape, ...untold }, of)
        .logLikelihood(rows(2000, 2))
        .reduce((a, b) => a + b, 0);
    };
    // one bit less of the exclusive or, whose noise remains
    expect(nats(tree) - nats(learned('likelihood', { minRows: 600 }))).toBeGreaterThan(0.4 * 2000);
  });

  test('by likelihood stops where a condition gains less than half the logarithm of the rows', () => {
    const stream = new RandomStream(4, 1015);
    const coins = BitMatrix.create(400, 3);
    for (let row = 0; row < 400; row++) for (let dim = 0; dim < 3; dim++) coins.set(row, dim, stream.below(2) === 0);
    const every = new Uint32Array(400).fill(1);
    const options = {
      choose: 'likelihood',
      minRows: 10,
      minColumns: 1,
      leafModel: 'chow-liu',
      pseudoCount: 1,
    } as const;
    expect(asked(new CutsetTree(learnCutset(coins, every, options, stream)))).toEqual([]);
    const byEntropy = learnCutset(coins, every, { ...options, choose: 'entropy' }, stream);
    expect(asked(new CutsetTree(byEntropy)).length).toBeGreaterThan(1);
  });

  test('asks nothing of no more than δ rows or σ columns, never a constant column, none twice on a path', () => {
    for (const choose of ['random', 'entropy'] as const) {
      expect(asked(learned(choose, { minRows: 600 }))).toEqual([]);
      expect(asked(learned(choose, { minRows: 599 })).length).toBeGreaterThan(0);
      expect(asked(learned(choose, { minColumns: 6 }))).toEqual([]);
      const deep = learned(choose, { minRows: 1, minColumns: 1 });
      expect(asked(deep)).not.toContain(5);
      const walk = (node: CutsetNode, before: readonly number[]): void => {
        if (!('column' in node)) {
          expect(node.forest.size).toBe(6 - before.length);
          return;
        }
        expect(before).not.toContain(node.column);
        walk(node.zero, [...before, node.column]);
        walk(node.one, [...before, node.column]);
      };
      walk(deep.root, []);
    }
  });

  test.each(['random', 'entropy', 'likelihood'] as const)(
    'by %s is the same of equal rows that are counted',
    (choose) => {
      // few columns, so that rows are equal; some of them many times more than others
      const plain = BitMatrix.create(9000, 6);
      for (let row = 0; row < 9000; row++) {
        const from = row < 5000 ? row % 3 : row % 600;
        for (let dim = 0; dim < 6; dim++) plain.set(row, dim, train.get(from, dim));
      }
      const { distinct, counts } = shareRows(plain);
      const options = { choose, minRows: 40, minColumns: 1, leafModel: 'chow-liu', pseudoCount: 0.5 } as const;
      const bytesOf = (matrix: BitMatrix, times: Uint32Array): Buffer => {
        const root = learnCutset(matrix, times, options, new RandomStream(7, 1016));
        return Buffer.from(
          new Cutset({ dimensions: 6, names: null, shape: null, ...untold }, new CutsetTree(root)).toBytes(),
        );
      };
      const one = bytesOf(plain, new Uint32Array(9000).fill(1));
      const other = bytesOf(BitMatrix.from(distinct), Uint32Array.from(new Float64Array(counts)));
      expect(counts.byteLength / 8).toBeLessThan(65);
      expect(one.equals(other)).toBe(true);
      const without = Uint32Array.from({ length: 9000 }, (_, row) => (row % 2 === 0 ? 1 : 0));
      const even = plain.selectRows(Array.from({ length: 4500 }, (_, at) => 2 * at));
      expect(bytesOf(plain, without).equals(bytesOf(even, new Uint32Array(4500).fill(1)))).toBe(true);
    },
  );

  test('by entropy asks the column of most H(i) + Σ I(i; j), each of the pairs told by both ends', () => {
    const stream = new RandomStream(3, 1017);
    const chosen = new Set<number>();
    for (let time = 0; time < 30; time++) {
      const matrix = BitMatrix.create(40, 7);
      for (let row = 0; row < 40; row++) for (let dim = 0; dim < 7; dim++) matrix.set(row, dim, stream.below(2) === 0);
      const pairs = new SmoothedPairs(countPairs(matrix), 1);
      const all = Uint32Array.from({ length: 7 }, (_, column) => column);
      const told = Array.from(all, (column) => {
        const rate = pairs.rate(column);
        const own = -rate * Math.log(rate) - (1 - rate) * Math.log(1 - rate);
        return all.reduce((sum, other) => sum + (other === column ? 0 : pairs.information(column, other)), own);
      });
      chosen.add(entropyChoice(pairs, all));
      expect(told[entropyChoice(pairs, all)]).toBeCloseTo(Math.max(...told), 12);
    }
    expect(chosen.size).toBeGreaterThan(3);
  });

  test('by likelihood asks the column that makes the rows likeliest by trees on both sides', () => {
    const gains = Array.from({ length: 5 }, (_, column) => {
      const left = [0, 1, 2, 3, 4, 5].filter((other) => other !== column);
      return [0, 1].reduce((sum, value) => {
        const own = Array.from({ length: 600 }, (_, row) => row).filter((row) => train.get(row, column) === value);
        const side = train.selectRows(own).selectColumns(left);
        const columns = Uint32Array.from(left.keys());
        const { forest } = chowLiuForest(new SmoothedPairs(countPairs(side), 1), columns);
        const values = new Uint8Array(5);
        for (let row = 0; row < side.rows; row++) {
          side.readRow(row, values);
          sum += forest.logProbability(values) + Math.log(side.rows / 600);
        }
        return sum;
      }, 0);
    });
    expect(asked(learned('likelihood', { minRows: 599 }))[0]).toBe(gains.indexOf(Math.max(...gains)));
  });

  test('takes shares of the rows for conditions, and counts for leaves', () => {
    const tree = learned('likelihood');
    const root = tree.root;
    if (!('column' in root)) throw new Error('no condition');
    expect(root.rate).toBe(train.columnCounts()[root.column]! / 600);
    const product = learned('random', { minRows: 600, leafModel: 'product' }).root;
    if (!('forest' in product)) throw new Error('no leaf');
    expect([...product.forest.parents]).toEqual(new Array(6).fill(-1));
    expect(product.forest.rates[4]).toBeCloseTo((train.columnCounts()[2]! + 2) / 604, 14);
  });
});

describeFamily(cutset, { components: 3, choose: 'entropy', minRows: 20, weights: 'em' });
describeFamily(
  cutset,
  { components: 3, choose: 'entropy', minRows: 20, boosted: true, refits: 1 },
  { nightly: 'half' },
);

describe('a run', () => {
  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (words: object) => cutset.resolve({ ...words }, { train: facts, valid: facts, test: null });

  test('ends in a mixture that is likelier than its parts, and shows its conditions', async () => {
    const words = { components: 5, minRows: 300, pseudoCount: 0.1, weights: 'em' };
    const { store, model, run } = await trainedOn('dna', cutset, words);
    const mixture = model as Mixture;
    expect(mixture.likelihoods.test).toBeGreaterThan(-87);
    const test = await loadDataset(store, run.specification.test!);
    for (const member of mixture.members) {
      const alone = member.logLikelihood(test).reduce((sum, nats) => sum + nats, 0) / test.rows;
      expect(alone).toBeLessThan(mixture.likelihoods.test!);
    }
    expect(mixture.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(isExact(mixture.members[0]!)).toBe(true);
    const report = await cutset.report(store, run, {});
    expect(report).toContain('The conditions of the first component');
    expect(report).toMatch(/<text[^>]*>asks dimension \d+/);
  });

  test('of one component is a cutset network, whose weights of EM would be one', async () => {
    const { model } = await trainedOn('dna', cutset, { choose: 'likelihood', minRows: 1000 });
    expect(model.family).toBe('cutset');
    expect(model.summary().facts[0]![1]).toContain('trees in its leaves');
    expect(openModel(model.toBytes(), [cutset.codec]).likelihoods).toEqual(model.likelihoods);
  });

  test('bags what would else be equal', () => {
    const bagged = (words: object) => (resolve(words).specification as { bagged?: boolean }).bagged;
    expect([bagged({}), bagged({ components: 3 }), bagged({ choose: 'entropy' })]).toEqual([false, false, false]);
    expect([bagged({ components: 3, choose: 'entropy' }), bagged({ components: 3, choose: 'likelihood' })]).toEqual([
      true,
      true,
    ]);
  });

  test('that is boosted is likelier than its first network, and says how many it keeps', async () => {
    const words = { components: 6, choose: 'entropy', minRows: 300, boosted: true, refits: 2 };
    const { model, summary } = await trainedOn('mushrooms', cutset, words);
    const { members } = model as Mixture;
    expect(summary).toMatchObject({ rounds: { kept: members.length } });
    expect(members.length).toBeGreaterThan(1);
    const one = await trainedOn('mushrooms', cutset, { choose: 'entropy', minRows: 300 });
    expect(model.likelihoods.valid).toBeGreaterThan(one.model.likelihoods.valid!);
  });

  test('says of boosting only where it is wanted, so that runs of before have the same name', () => {
    expect(resolve({ boosted: false }).runId).toBe(resolve({}).runId);
    expect(resolve({}).specification).not.toHaveProperty('boosted');
    expect(resolve({ boosted: true }).specification).toMatchObject({ components: 40, bagged: false, refits: 20 });
  });

  test.each([{ boosted: true, bagged: true }, { boosted: true, weights: 'em' }, { refits: 3 }])(
    'refuses %o',
    (said) => {
      expect(() => resolve(said)).toThrow(expect.objectContaining({ code: 'bad-request' }) as Error);
    },
  );
});
