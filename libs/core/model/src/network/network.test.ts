import { BitMatrix } from '@orchard/dataset';
import { RandomStream, Purpose, log1p } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { emptyEnsemble } from './ensemble.js';
import { Network } from './network.js';
import type { NetworkParts } from './network-parts.js';
import { randomMatrix, randomNetwork, randomParts, replayedOdds } from './random-network.suite.js';
import { refusal } from '../refusal.suite.js';

const small = randomNetwork({ dimensions: 6, trees: 12, leaves: 6, seed: 11 });
const everyRow = BitMatrix.fromRows(Array.from({ length: 64 }, (_, row) => row.toString(2).padStart(6, '0')));

/** The exact probability of each of the 64 rows. */
const exactly = Float64Array.from(small.logLikelihood(everyRow), Math.exp);

/** What every model answers alike is told by `describeDensityModel`, in open-model.test.ts. */
describe('likelihood', () => {
  it('is the definition, for every row and column, with equal prefixes or not', () => {
    const network = randomNetwork({ dimensions: 40, trees: 20, leaves: 16, seed: 5 });
    const matrix = randomMatrix(700, 40, 6);
    const cells = network.logLikelihoods(matrix);
    const sums = network.logLikelihood(matrix);
    for (let row = 0; row < 700; row += 13) {
      let sum = 0;
      for (let position = 0; position < 40; position++) {
        const column = network.ordering[position]!;
        const odds = replayedOdds(network, position, matrix, row);
        const expected = matrix.get(row, column) === 1 ? -log1p(1 / odds) : -log1p(odds);
        expect(cells[row * 40 + column]).toBe(expected);
        sum += expected;
      }
      expect(sums[row]).toBe(sum);
    }
  });

  it('of rows that it is not of is refused with the place', () => {
    expect(refusal(() => small.logLikelihood(new Uint8Array(7))).expected).toContain('multiple of 6');
    expect(refusal(() => small.logLikelihood(Uint8Array.of(0, 1, 0, 0, 2, 0))).where).toBe('row 0, column 4');
    expect(refusal(() => small.logLikelihood(BitMatrix.create(3, 7))).got).toBe('a matrix of 7 columns');
  });

  it('gives probabilities of one column that agree with it', () => {
    const cells = small.logLikelihoods(everyRow);
    for (let column = 0; column < 6; column++) {
      small.probabilities(everyRow, column).forEach((p, row) => {
        const log = everyRow.get(row, column) === 1 ? Math.log(p) : Math.log1p(-p);
        expect(cells[row * 6 + column]).toBeCloseTo(log, 12);
      });
    }
  });
});

describe('score', () => {
  it('keeps the order of columns where surprises are equal', () => {
    const parts = randomParts({ dimensions: 5, trees: 0, leaves: 1, seed: 2 });
    const even = new Network({ ...parts, ensembles: parts.ensembles.map(() => emptyEnsemble(1)) });
    expect([...even.score(Uint8Array.of(1, 0, 1, 0, 0), { top: 3 }).columns]).toEqual([0, 1, 2]);
  });
});

describe('sampling', () => {
  it('is what its documentation says: number i of stream (seed, sample, row) for position i', () => {
    const seed = 2 ** 40 + 17;
    const samples = small.sample(300, seed);
    for (const row of [0, 7, 299]) {
      const stream = new RandomStream(seed, Purpose.sample, row);
      for (let position = 0; position < 6; position++) {
        const odds = replayedOdds(small, position, samples, row);
        expect(samples.get(row, small.ordering[position]!)).toBe(stream.uniform() * (1 + odds) < odds ? 1 : 0);
      }
    }
  });
});

describe('completion', () => {
  const repeated = 4000;

  /** Completes one row many times, and compares the frequencies with the exact conditional distribution. */
  function chiSquareOf(knownColumns: readonly number[], samples: number, value: string) {
    const values = BitMatrix.fromRows(Array.from({ length: repeated }, () => value));
    const known = BitMatrix.create(repeated, 6);
    for (let row = 0; row < repeated; row++) for (const column of knownColumns) known.set(row, column, 1);
    const completion = small.complete(values, known, { seed: 4, samples });
    const counts = new Float64Array(64);
    for (let row = 0; row < repeated; row++) counts[completion.matrix.bytes[row * completion.matrix.stride]! >> 2]!++;
    const agrees = (row: number): boolean =>
      knownColumns.every((column) => everyRow.get(row, column) === +value[column]!);
    const total = exactly.reduce((sum, p, row) => sum + (agrees(row) ? p : 0), 0);
    let chiSquare = 0;
    let degrees = -1;
    exactly.forEach((p, row) => {
      if (!agrees(row)) expect(counts[row]).toBe(0);
      else {
        const expected = (repeated * p) / total;
        chiSquare += (counts[row]! - expected) ** 2 / expected;
        degrees++;
      }
    });
    return { completion, chiSquare, degrees };
  }

  it.each([
    ['the known columns come first in the ordering', 0, 16],
    ['the particles have room for every possibility', 3, 32],
  ])('is exact where %s', (_, first, samples) => {
    const known = [...small.ordering.subarray(first, first + 2)];
    const { completion, chiSquare, degrees } = chiSquareOf(known, samples, '101101');
    expect([degrees, completion.exact.every((exact) => exact === 1)]).toEqual([15, true]);
    expect(completion.effectiveSampleSize.every((size) => size === samples)).toBe(true);
    expect(completion.logEvidenceError.every((error) => error === 0)).toBe(true);
    expect(chiSquare).toBeLessThan(50); // above once in 80,000 seeds
  });

  it('comes near the exact distribution by few particles', () => {
    const { completion, chiSquare, degrees } = chiSquareOf([...small.ordering.subarray(3, 5)], 16, '101101');
    expect([degrees, completion.exact.some((exact) => exact === 1)]).toEqual([15, false]);
    expect(chiSquare).toBeLessThan(60);
    for (const size of completion.effectiveSampleSize) expect(size >= 1 && size <= 16).toBe(true);
  });

  it('with one particle ignores what is known later, and says so', () => {
    const { completion, chiSquare } = chiSquareOf([...small.ordering.subarray(3, 5)], 1, '101101');
    expect(chiSquare).toBeGreaterThan(60);
    expect(completion.effectiveSampleSize.every((size) => size === 1)).toBe(true);
    expect(completion.logEvidenceError.every((error) => error === Infinity)).toBe(true);
  });

  it('continues known beginnings by the numbers of the stream: number i of (seed, complete, row) for position i', () => {
    const known = BitMatrix.create(64, 6);
    for (let row = 0; row < 64; row++) known.set(row, small.ordering[0]!, 1);
    const { matrix } = small.complete(everyRow, known, { seed: 2 ** 40 + 3 });
    for (const row of [0, 9, 63]) {
      const stream = new RandomStream(2 ** 40 + 3, Purpose.complete, row);
      stream.uniform();
      for (let position = 1; position < 6; position++) {
        const odds = replayedOdds(small, position, matrix, row);
        expect(matrix.get(row, small.ordering[position]!)).toBe(stream.uniform() * (1 + odds) < odds ? 1 : 0);
      }
    }
  });

  describe('tells how probable the known values are', () => {
    const network = randomNetwork({ dimensions: 14, trees: 15, leaves: 8, seed: 12 });
    const all = BitMatrix.fromRows(Array.from({ length: 2 ** 14 }, (_, row) => row.toString(2).padStart(14, '0')));
    const likelihood = network.logLikelihood(all);

    /** Known: every second position, from the second on. */
    function estimated(rows: number, samples: number) {
      const value = '10110100111010';
      const kept = [...network.ordering].filter((_, position) => position % 2 === 1);
      const known = BitMatrix.create(rows, 14);
      for (let row = 0; row < rows; row++) for (const column of kept) known.set(row, column, 1);
      const values = BitMatrix.fromRows(new Array<string>(rows).fill(value));
      let evidence = 0;
      likelihood.forEach((log, row) => {
        if (kept.every((column) => all.get(row, column) === +value[column]!)) evidence += Math.exp(log);
      });
      return { evidence, completion: network.complete(values, known, { seed: 1, samples }) };
    }

    it('exactly, where it is exact', () => {
      const { evidence, completion } = estimated(1, 512);
      expect([completion.exact[0], completion.logEvidenceError[0]]).toEqual([1, 0]);
      expect(completion.logEvidence[0]).toBeCloseTo(Math.log(evidence), 10);
      const matrix = randomMatrix(100, 14, 4);
      const whole = network.complete(matrix, BitMatrix.fromRows(new Array<string>(100).fill('1'.repeat(14))), {
        seed: 0,
      });
      expect(whole.logEvidence).toEqual(network.logLikelihood(matrix));
      expect(whole.matrix.equals(matrix)).toBe(true);
      const nothing = network.complete(matrix, BitMatrix.create(100, 14), { seed: 0 });
      expect([...nothing.logEvidence, ...nothing.logEvidenceError].every((value) => value === 0)).toBe(true);
    });

    it('on average over seeds, with the error that it says', () => {
      const rows = 1000;
      const { evidence, completion } = estimated(rows, 48);
      const { logEvidence, logEvidenceError, effectiveSampleSize, exact } = completion;
      expect(exact.every((one) => one === 0)).toBe(true);
      const ratios = Array.from(logEvidence, (log) => Math.exp(log) / evidence);
      const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / rows;
      const squares = logEvidence.reduce((sum, log) => sum + (log - Math.log(evidence)) ** 2, 0) / rows;
      expect(Math.abs(mean - 1)).toBeLessThan(4 * Math.sqrt(squares / rows));
      const said = logEvidenceError.reduce((sum, error) => sum + error ** 2, 0) / rows;
      expect(said / squares).toBeGreaterThan(0.8);
      expect(said / squares).toBeLessThan(1.25);
      expect(effectiveSampleSize.every((size) => size >= 1 && size <= 48)).toBe(true);
    });
  });
});

describe('explanations', () => {
  const network = randomNetwork({ dimensions: 12, trees: 8, leaves: 6, seed: 31 });

  it('shares out the gain of each conditional, strictly below the diagonal of the ordering', () => {
    const importance = network.importance();
    for (let position = 0; position < 12; position++) {
      const shares = importance.subarray(position * 12, position * 12 + 12);
      expect(shares.subarray(position).every((share) => share === 0)).toBe(true);
      const { splitGain, splitPredictor } = network.ensembles[position]!;
      const total = splitGain.reduce((sum, gain) => sum + gain, 0);
      for (let predictor = 0; predictor < position; predictor++) {
        const gains = splitGain.filter((_, split) => splitPredictor[split] === predictor);
        expect(shares[predictor]).toBeCloseTo(gains.reduce((sum, gain) => sum + gain, 0) / total, 12);
      }
      const byColumn = network.importanceOf(network.ordering[position]!);
      expect(Float64Array.from(network.ordering, (column) => byColumn[column]!)).toEqual(shares.slice());
    }
  });

  it('finds the columns that are never split on', () => {
    const parts = randomParts({ dimensions: 8, trees: 20, leaves: 6, seed: 3 });
    const avoided = 2;
    const ensembles = parts.ensembles.map((ensemble) => ({
      ...ensemble,
      splitPredictor: ensemble.splitPredictor.map((position) => (position === avoided ? 0 : position)),
    }));
    const expected = [parts.ordering[avoided]!, parts.ordering[7]!].sort((a, b) => a - b);
    expect([...new Network({ ...parts, ensembles }).irrelevantVariables()]).toEqual(expected);
  });

  it('measures conditional entropies that add up to the entropy of the whole', () => {
    const whole = -exactly.reduce((sum, p) => sum + p * Math.log(p), 0);
    const entropies = small.entropies({ samples: 40_000, seed: 1 });
    expect(entropies.reduce((sum, entropy) => sum + entropy, 0)).toBeCloseTo(whole, 2);
    const first = small.ordering[0]!;
    const p = small.probabilities(everyRow, first)[0]!;
    expect(entropies[first]).toBeCloseTo(-p * Math.log(p) - (1 - p) * Math.log(1 - p), 12);
    expect(small.entropies({ matrix: everyRow })[first]).toBeCloseTo(entropies[first]!, 12);
    expect(refusal(() => small.entropies({ matrix: BitMatrix.create(0, 6) })).got).toBe('no rows');
  });

  it('orders columns by entropy, both ways', () => {
    const entropies = network.entropies();
    const rising = network.entropyOrdering('increasing');
    for (let i = 1; i < 12; i++) expect(entropies[rising[i]!]! >= entropies[rising[i - 1]!]!).toBe(true);
    expect([...network.entropyOrdering('decreasing')].reverse()).toEqual([...rising]);
  });

  it('summarizes trees, leaves and depth', () => {
    const summary = network.summary();
    expect(summary.trees).toBe(12 * 8);
    expect(summary.leaves).toBe(network.ensembles.reduce((sum, ensemble) => sum + ensemble.leafFactor.length, 0));
    expect(summary.depth).toBe(Math.max(...summary.conditionals.map(({ depth }) => depth)));
    expect(summary.conditionals[0]).toMatchObject({ column: network.ordering[0], depth: 0, predictors: 0, leaves: 8 });
  });
});

describe('a network made of parts', () => {
  const parts = randomParts({ dimensions: 4, trees: 2, leaves: 3, seed: 1 });
  const wrong: [string, Partial<NetworkParts>, string][] = [
    ['an ordering with a column twice', { ordering: Uint32Array.of(0, 1, 1, 3) }, 'ordering[2]'],
    ['an ordering with a column too many', { ordering: Uint32Array.of(0, 1, 4, 3) }, 'ordering[2]'],
    ['no columns', { ordering: new Uint32Array(0) }, 'ordering'],
    ['too few names', { names: ['a', 'b', 'c'] }, 'names'],
    ['equal names', { names: ['a', 'b', 'c', 'a'] }, 'names'],
    ['a shape of another size', { shape: [2, 3] }, 'shape'],
    ['a likelihood that is no number', { likelihoods: { train: NaN, valid: null, test: null } }, 'likelihoods.train'],
    ['too few ensembles', { ensembles: parts.ensembles.slice(1) }, 'ensembles'],
    [
      'a specification that JSON cannot hold',
      { specification: { run: { clamp: Infinity } } },
      'specification.run.clamp',
    ],
    ['a specification with an instance', { specification: { at: new Date(0) } as never }, 'specification.at'],
  ];
  it.each(wrong)('refuses %s', (_, change, where) => {
    const error = refusal(() => new Network({ ...parts, ...change }));
    expect([error.code, error.where]).toEqual(['invalid-network', where]);
  });

  it('refuses trees that look at later positions', () => {
    const ensembles = [...parts.ensembles].reverse();
    expect(refusal(() => new Network({ ...parts, ensembles })).code).toBe('invalid-ensemble');
  });
});
