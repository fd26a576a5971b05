import { BitMatrix } from '@orchard/dataset';
import { mixtureCodec, type Mixture } from '@orchard/members';
import { RandomStream } from '@orchard/numerics';
import { openModel } from '@orchard/model';
import { runLocally } from '@orchard/pipeline';
import { describeFamily, standardDatasets, temporaryStore, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { Sparn } from '@orchard/sparse-network';
import { sparn } from './index.js';

describeFamily(sparn, { penalty: '8,2', components: '1,2', steps: 2 });

interface Told {
  readonly chosen: { readonly components: number; readonly valid: number };
  readonly tried: readonly {
    readonly components: number;
    readonly shared: number;
    readonly own: number;
    readonly valid: number;
  }[];
}

/** Rows in two kinds: in one the columns are like the one before them, in the other unlike it. */
function twoKinds(rows: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1030);
  const matrix = BitMatrix.create(rows, 8);
  for (let row = 0; row < rows; row++) {
    const isOther = stream.uniform() < 0.5;
    for (let column = 0; column < 8; column++) {
      const isLike = stream.uniform() < 0.95;
      const before = column === 0 ? false : matrix.get(row, column - 1) === 1;
      matrix.set(row, column, column === 0 ? isOther : (before === isLike) !== isOther);
    }
  }
  return matrix;
}

describe('a run of several components', () => {
  test('ends in K and step that are best', async () => {
    const store = temporaryStore();
    const request = sparn.resolve(
      { penalty: '8,2', components: '1,2,3', steps: 2 },
      await standardDatasets(store, 'dna', [90, 91, 92, 93, 94, 95]),
    );
    const { model, run, summary } = await runLocally({ store, family: sparn, ...request, threads: 1 });
    const { chosen, tried } = (summary as unknown as { mixture: Told }).mixture;
    expect(new Set(tried.map(({ components }) => components))).toEqual(new Set([1, 2, 3]));
    expect(chosen.valid).toBe(Math.max(...tried.map(({ valid }) => valid)));
    // the shares were judged by weights of columns: the model says the same of whole rows
    expect(model.likelihoods.valid).toBeCloseTo(chosen.valid, 9);
    expect(chosen.components === 1 ? model.family : (model as Mixture).members.length).toBe(
      chosen.components === 1 ? 'sparn' : chosen.components,
    );
    expect(await sparn.report(store, run, {})).toContain('The mixtures tried');
  });

  test.each(['untied', 'tied', 'auto'] as const)(
    'finds two kinds of rows that one network cannot tell: %s',
    async (tying) => {
      const splits = [twoKinds(600, 1), twoKinds(300, 2), twoKinds(300, 3)] as const;
      const words = { penalty: '4,1', components: [1, 2], tying };
      const { model, network, run, store, summary } = await trainedOn(splits, sparn, words);
      const { tried } = (summary as unknown as { mixture: Told }).mixture;
      for (const { components, shared, own } of tried.filter((one) => one.components === 2)) {
        expect(components).toBe(2);
        if (tying === 'untied') expect(shared).toBe(0);
        if (tying === 'tied') expect(own).toBe(0);
      }
      const read = openModel(network, [sparn.codec, mixtureCodec([sparn.codec])]);
      expect(read.likelihoods).toEqual(model.likelihoods);
      const all = BitMatrix.fromRows(Array.from({ length: 256 }, (_, row) => row.toString(2).padStart(8, '0')));
      const sum = read.logLikelihood(all).reduce((total, nats) => total + Math.exp(nats), 0);
      expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
      const single = tried[0]!.valid;
      const best = Math.max(...tried.slice(1).map(({ valid }) => valid));
      if (tying !== 'tied') {
        expect(best).toBeGreaterThan(single + 0.05);
        expect((model as Mixture).members.every((member) => member instanceof Sparn)).toBe(true);
        const report = await sparn.report(store, run, {});
        expect(report).toContain('The components');
        expect(report).toContain('2 (chosen)');
      }
    },
  );

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object) => sparn.resolve({ ...said }, { train: facts, valid: facts, test: null });

  test('is another run than that of one network, which says nothing of mixtures', () => {
    expect(resolve({ components: 1 })).toEqual(resolve({}));
    expect(resolve({ seed: 3 })).toEqual(resolve({}));
    expect(resolve({}).specification).not.toHaveProperty('components');
    expect(resolve({ components: '4,1' }).specification).toMatchObject({ components: [1, 4], tying: 'auto', steps: 5 });
    expect(resolve({ components: 4, tying: 'tied' }).runId).not.toBe(resolve({ components: 4 }).runId);
  });

  test.each([{ tying: 'tied' }, { steps: 2, components: 1 }])('refuses %o of one component', (words) => {
    expect(() => resolve(words)).toThrow(/--components 2,4/);
  });

  test.each([{ components: 0 }, { components: '2,x' }, { tying: 'loose', components: 2 }])('refuses %o', (words) => {
    expect(sparn.words.safeParse(words).success).toBe(false);
  });
});
