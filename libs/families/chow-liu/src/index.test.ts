import { BitMatrix } from '@orchard/dataset';
import { ChowLiu, Forest } from '@orchard/forests';
import { openModel, readModelFile, writeModelFile, NumberArray, type Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describeFamily, plainRows, standardSplits, trainedOn } from '@orchard/pipeline/conformance';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { chowLiu } from './index.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;

/** Column d hangs on (d - 1) / 2; of every fifth column a tree of its own. */
function example({ dimensions, names, shape }: Variables): ChowLiu {
  const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const parents = Int32Array.from(columns, (column) => (column % 5 === 0 ? -1 : (column - 1) >> 1));
  const rates = Float64Array.from({ length: 2 * dimensions }, (_, at) =>
    parents[at >> 1]! < 0 ? 0.3 + 0.1 * (at >> 2) : 0.2 + ((at * 7) % 6) / 10,
  );
  const information = Float64Array.from(parents, (parent, column) => (parent < 0 ? 0 : 1 / (1 + column)));
  return new ChowLiu({
    dimensions,
    names,
    shape,
    ...nothing,
    forest: new Forest(columns, parents, rates),
    information,
  });
}

describeDensityModel('a forest of columns', { codec: chowLiu.codec, make: example });

describeFamily(chowLiu, { forest: true });

describe('a model file', () => {
  const { head } = readModelFile(example({ dimensions: 3, names: null, shape: null }).toBytes());
  const written = (parents: number[], rate: number, nats = 0): Uint8Array =>
    writeModelFile(head, {
      parents: NumberArray.ofIntegers([Uint32Array.from(parents)]),
      rates: NumberArray.ofFloats([new Float64Array(6).fill(rate)]),
      information: NumberArray.ofFloats([new Float64Array(3).fill(nats)]),
    });

  test('is read where it is a forest', () => {
    expect((openModel(written([0, 1, 1], 0.5), [chowLiu.codec]) as ChowLiu).edges).toBe(2);
  });

  test.each([
    ['whose parents go round', written([2, 1, 1], 0.5)],
    ['with a parent that is no column', written([0, 1, 4], 0.5)],
    ['with a rate of 1', written([0, 1, 1], 1)],
    ['with information that is no number', written([0, 1, 1], 0.5, NaN)],
  ])('%s is refused', (_, bytes) => {
    expect(() => openModel(bytes, [chowLiu.codec])).toThrow(
      expect.objectContaining({ code: 'not-a-network-file' }) as Error,
    );
  });
});

/** Mean test nats, training rows only, by code that is not ours. */
const nats = {
  nltcs: -6.759,
  msnbc: -6.5401,
  plants: -16.524,
  audio: -44.3749,
  dna: -87.8011,
  mushrooms: -21.0224,
  adult: -18.5342,
  ocr_letters: -48.8701,
};
/** Of these the forest is made too, and the report. */
const isSmall = new Set(['dna', 'mushrooms', 'nltcs']);

describe.each([
  ['that come with the project', ['dna', 'mushrooms'], []],
  ['that lie beside it', ['nltcs', 'msnbc', 'plants', 'audio', 'adult', 'ocr_letters'], ['nightly']],
] as const)('of sets %s', (_, known, tags) => {
  test.for(known)('a whole run on %s tells what is known of it', { tags: [...tags] }, async (name, { skip }) => {
    const splits = await standardSplits(name);
    if (typeof splits === 'string') return skip(splits);
    const tree = await trainedOn(splits, chowLiu, {});
    expect(Math.abs(tree.summary.network.testLogLikelihood! - nats[name])).toBeLessThan(0.0005);
    expect((tree.model as ChowLiu).edges).toBe(splits[0].dimensions - 1);
    if (!isSmall.has(name)) return;
    const forest = await trainedOn(splits, chowLiu, { forest: true });
    expect(forest.model.likelihoods.valid).toBeGreaterThanOrEqual(tree.model.likelihoods.valid!);
    const report = await chowLiu.report(tree.store, tree.run, {});
    const perRow = (-tree.summary.network.testLogLikelihood!).toPrecision(4);
    expect(report).toContain(`A test row has a log-likelihood of −${perRow} nats`);
  });
});

describe('a run', () => {
  const names = ['rain', 'wet grass', 'sprinkler', 'coin'];
  const rows = (count: number, seed: number): BitMatrix => {
    const stream = new RandomStream(seed, 1010);
    const matrix = BitMatrix.create(count, 4, { names });
    for (let row = 0; row < count; row++) {
      const rain = stream.below(3) === 0;
      const sprinkler = !rain && stream.below(2) === 0;
      const wet = rain || sprinkler ? stream.below(10) > 0 : stream.below(20) === 0;
      [rain, wet, sprinkler, stream.below(2) === 0].forEach((value, dim) => {
        matrix.set(row, dim, value);
      });
    }
    return matrix;
  };

  test('cuts what is on its own, says so, and draws the tree with the names', async () => {
    const { store, run, model } = await trainedOn([rows(2000, 1), rows(2000, 2)], chowLiu, { forest: true });
    const forest = model as ChowLiu;
    expect([...forest.parents]).toEqual([-1, 2, 0, -1]);
    expect([...forest.irrelevantVariables()]).toEqual([3]);
    const shares = forest.importanceOf(2);
    expect([shares[2], shares[3]]).toEqual([0, 0]);
    expect(shares[0]! + shares[1]!).toBeCloseTo(1, 12);
    expect(model.summary().facts[0]![1]).toContain('a forest of 2 trees');
    const report = await chowLiu.report(store, run, {});
    for (const name of names.slice(0, 3)) expect(report).toMatch(new RegExp(`<text[^>]*>${name}[<]`));
    expect(report).toContain('On their own: coin.');
  });

  test.each([
    [{}, '9b01d97b8899588d7bbe58c79f4425d68a73be9c4a28f22f1acdfb792b9b0ba3'],
    [{ forest: true, pseudoCount: 0.5 }, '8e1ea617bf9cfb306791dae6b5e0092fa2a8fad6b774602797fa9566236d9b54'],
  ])(
    'on rows of bits with %j ends in the bytes that it ended in before tables were learnt, versions apart',
    async (words, sha256) => {
      const { network } = await trainedOn([plainRows(300, 1), plainRows(60, 2)], chowLiu, words);
      expect(createHash('sha256').update(network).digest('hex')).toBe(sha256);
    },
  );

  test('is told how many rows nobody saw are added', async () => {
    const train = rows(50, 1);
    const { model } = await trainedOn([train, rows(50, 2)], chowLiu, { pseudoCount: 0.5 });
    const ones = train.columnCounts()[0]!;
    expect((model as ChowLiu).rates[0]).toBeCloseTo((ones + 1) / 52, 14);
    expect(() => chowLiu.words.parse({ pseudoCount: 0 })).toThrow();
  });

  test('of more columns than can be counted in pairs is refused before anything is done', () => {
    const facts = { id: '0'.repeat(64), rows: 5, dimensions: 8193, names: null, shape: null };
    const few = { ...facts, dimensions: 2 };
    expect(() => chowLiu.resolve({ lent: 1 }, { train: few, valid: few, test: null })).toThrow(
      'rows of bits with --lent',
    );
    expect(() => chowLiu.resolve({}, { train: facts, valid: facts, test: null })).toThrow(
      expect.objectContaining({ code: 'bad-request', got: '8193 columns' }) as Error,
    );
  });
});
