import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import type { ForestMixtureModel } from '@orchard/mixture';
import { chowLiuForest, countPairs, SmoothedPairs } from '@orchard/forests';
import type { Variables } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { boostedSpecification, wholeWords } from './boosted-run.js';
import { Boosting } from './boosting.js';
import { boosted } from './index.js';
import { edgesIn, mixtureOfRounds, treeOf, type StoredRound } from './rounds.js';

const none = { train: null, valid: null, test: null };

/** Rows of one of three rules, by which no single tree tells them. */
function rowsOf(count: number, { dimensions, names, shape }: Variables, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1031);
  const matrix = BitMatrix.create(count, dimensions, { names, shape });
  for (let row = 0; row < count; row++) {
    const rule = stream.below(3);
    for (let dim = 0; dim < dimensions; dim++) {
      const before = dim === 0 ? 0 : matrix.get(row, rule === 0 ? dim - 1 : 0);
      const likely = rule === 2 ? dim % 2 : before;
      matrix.set(row, dim, stream.below(6) === 0 ? 1 - likely === 1 : likely === 1);
    }
  }
  return matrix;
}

function boost(train: BitMatrix, valid: BitMatrix, words: object): readonly StoredRound[] {
  const id = '0'.repeat(64);
  const specification = {
    family: 'boosted',
    train: id,
    valid: id,
    test: null,
    ...wholeWords(words, train.dimensions),
    numericsVersion: 1,
  };
  const options = boostedSpecification({ specification } as unknown as Parameters<typeof boostedSpecification>[0]);
  const boosting = new Boosting({ train: attachRows(shareRows(train)), valid: attachRows(shareRows(valid)) }, options, {
    train,
    valid,
  });
  const rounds = [boosting.next()];
  while (!rounds.at(-1)!.facts.isLast) rounds.push(boosting.next());
  return rounds;
}

const factsOf = (train: BitMatrix, valid: BitMatrix, words: object) =>
  boost(train, valid, words).map(({ facts }) => facts);

const modelOf = (rounds: readonly StoredRound[], { dimensions, names, shape }: Variables): ForestMixtureModel =>
  mixtureOfRounds(rounds, {
    ...{ dimensions, names, shape, specification: null, likelihoods: none },
  }) as ForestMixtureModel;

describeDensityModel('a mixture of boosted trees', {
  codec: boosted.codec,
  make: (variables) =>
    modelOf(boost(rowsOf(300, variables, 1), rowsOf(300, variables, 2), { components: 4, waiting: 4 }), variables),
});

const D = 8;
const variables = { dimensions: D, names: null, shape: null };
const [train, valid] = [rowsOf(600, variables, 3), rowsOf(600, variables, 4)];
const meanNats = (model: ForestMixtureModel, rows: BitMatrix): number =>
  model.logLikelihood(rows).reduce((sum, nats) => sum + nats, 0) / rows.rows;

describe.each([
  ['as the paper has it', { refits: 0 }],
  ['with trees that are fitted again', {}],
  ['of few rows beside', { pseudoCount: 0.01, refits: 3 }],
])('boosting %s', (_, words) => {
  const made = boost(train, valid, { components: 12, ...words });
  const rounds = made.map(({ facts }) => facts);

  test('begins with the tree of Chow and Liu and never makes the training rows less likely', () => {
    const columns = Uint32Array.from({ length: D }, (_, column) => column);
    const { forest } = chowLiuForest(new SmoothedPairs(countPairs(train), 1), columns);
    const first = treeOf(made[0]!.model as ForestMixtureModel);
    expect([...first.parents]).toEqual([...forest.parents]);
    expect([...first.rates]).toEqual([...forest.rates]);
    expect(rounds[0]!.step).toBe(1);
    expect(rounds.length).toBeGreaterThan(2);
    for (let at = 1; at < rounds.length; at++)
      expect(rounds[at]!.train).toBeGreaterThanOrEqual(rounds[at - 1]!.train - 1e-12);
  });

  test('tells what its mixture then says, of which validation rows chose the round', () => {
    const best = rounds.reduce((most, round) => (round.valid > most.valid ? round : most));
    const model = modelOf(made, variables);
    expect(model.mixture.weights).toHaveLength(best.round);
    expect(meanNats(model, train)).toBeCloseTo(best.train, 10);
    expect(meanNats(model, valid)).toBeCloseTo(best.valid, 10);
    expect(best.valid).toBeGreaterThan(rounds[0]!.valid + 0.01);
    expect(rounds.at(-1)!.isLast).toBe(true);
  });
});

describe('boosting networks', () => {
  const made = boost(train, valid, { components: 8, weak: 'network', parents: 2, edges: 4, refits: 2 });

  test('never makes the training rows less likely, and gains where mean h / f is above 1', () => {
    for (let at = 1; at < made.length; at++) {
      const { facts } = made[at]!;
      expect(facts.train).toBeGreaterThanOrEqual(made[at - 1]!.facts.train - 1e-12);
      if (facts.ratio! > 1 + 1e-9) expect(facts.step).toBeGreaterThan(0);
    }
    expect(made[1]!.facts.ratio).toBeGreaterThan(1);
  });

  test('ends in a mixture that says what its best round said, of networks of so many edges', () => {
    const model = mixtureOfRounds(made, { ...variables, specification: null, likelihoods: none });
    const best = made.reduce((most, round) => (round.facts.valid > most.facts.valid ? round : most)).facts;
    const nats = model.logLikelihood(valid).reduce((sum, each) => sum + each, 0) / valid.rows;
    expect(nats).toBeCloseTo(best.valid, 10);
    expect(model.family).toBe('mixture');
    for (const round of made) expect(edgesIn(round.model)).toBe(4);
  });

  test('is stronger for weaker networks: without edges more is gained than with four', () => {
    const gainOf = (edges: number): number => {
      const all = boost(train, valid, { components: 12, weak: 'network', edges, refits: 2 });
      return Math.max(...all.map(({ facts }) => facts.valid)) - all[0]!.facts.valid;
    };
    expect(gainOf(0)).toBeGreaterThan(gainOf(4));
  });
});

describe('it ends', () => {
  test('where no step makes the training rows likelier', () => {
    const one = BitMatrix.fromRows(['0', '0', '1']);
    const rounds = factsOf(one, one, { pseudoCount: 0.001, components: 50 });
    expect(rounds.length).toBeLessThan(50);
    expect(rounds.at(-1)).toMatchObject({ step: 0, isLast: true });
  });

  test('so many rounds after the one that the validation rows like best', () => {
    const few = rowsOf(40, variables, 5);
    const rounds = factsOf(few, valid, { pseudoCount: 0.01, waiting: 3 });
    const best = rounds.reduce((most, round) => (round.valid > most.valid ? round : most));
    expect(rounds.length).toBe(best.round + 3);
  });
});
