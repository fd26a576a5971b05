import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, test } from 'vitest';
import { asTabular, isExact, isExplained, isMostProbable, isOrdered, openModel, toValues } from '../index.js';
import type { DensityModel, ModelCodec, Variables } from '../index.js';

/** A family whose models are to be held against the port. */
export interface FamilyUnderTest {
  readonly codec: ModelCodec;
  /**
   * A model of these columns, the same each time. Every row should have a probability above 1e-6 where there are six.
   */
  make(variables: Variables): DensityModel;
  /** Whether its models keep names and shape; those of tables name variables. @default true */
  readonly isNamed?: boolean;
}

const D = 6;
const DRAWN = 20_000;
const COMPLETED = 2000;

/** What every model has to be and to answer, whatever its family: {@link DensityModel} as tests. */
export function describeDensityModel(title: string, { codec, make, isNamed = true }: FamilyUnderTest): void {
  describe(title, () => {
    const names = isNamed ? ['a', 'größe', '名前', 'd=e', 'e', 'f'] : null;
    const shape = isNamed ? ([2, 3] as const) : null;
    const everyRow = rowsOf(Array.from({ length: 2 ** D }, (_, row) => row));
    let model: DensityModel;
    let exactly: Float64Array;

    beforeAll(() => {
      model = make({ dimensions: D, names, shape });
      exactly = Float64Array.from(model.logLikelihood(everyRow), Math.exp);
    });

    test('says what it is about', () => {
      expect([model.family, model.dimensions, model.names, model.shape]).toEqual([codec.family, D, names, shape]);
      const { dimensions, facts } = model.summary();
      expect(dimensions).toBe(D);
      expect(facts.length).toBeGreaterThan(0);
      for (const fact of facts) expect(fact).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    });

    describe('likelihood', () => {
      test.each([1, 2, 3, 7, 10])('of all rows of %i columns sums to one', (dimensions) => {
        const all = rowsOf(
          Array.from({ length: 2 ** dimensions }, (_, row) => row),
          dimensions,
        );
        const logs = make({ dimensions, names: null, shape: null }).logLikelihood(all);
        expect(Math.abs(logs.reduce((sum, value) => sum + Math.exp(value), 0) - 1)).toBeLessThan(1e-9);
      });

      test('of a row is the same bits alone, in any order, and as plain values', () => {
        const together = model.logLikelihood(everyRow);
        const backwards = Array.from(together, (_, row) => 2 ** D - 1 - row);
        expect(model.logLikelihood(everyRow.selectRows(backwards))).toEqual(together.slice().reverse());
        expect(model.logLikelihood(everyRow.selectRows([5]))).toEqual(together.slice(5, 6));
        expect(model.logLikelihood(toValues(everyRow))).toEqual(together);
        expect(model.logLikelihood(new Uint8Array(0))).toEqual(new Float64Array(0));
      });

      test('is shared out among the columns by the score, the most surprising first, or not at all', () => {
        const { logLikelihood, surprise, columns, top } = model.score(everyRow, { top: 3 });
        const own = model.logLikelihood(everyRow);
        own.forEach((value, row) => expect(logLikelihood[row]).toBeCloseTo(value, 9));
        // who asks a model of one ordering for its cells need not ask for likelihoods
        if (asTabular(model).ordering !== null) expect(logLikelihood).toEqual(own);
        expect(columns.length).toBe(2 ** D * top);
        if (top === 0) {
          expect(surprise.length).toBe(0);
          return;
        }
        expect([top, surprise.length]).toEqual([3, 2 ** D * D]);
        expect(model.score(everyRow).top).toBe(5);
        for (let row = 0; row < 2 ** D; row++) {
          const shares = surprise.subarray(row * D, row * D + D);
          expect(-shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(logLikelihood[row]!, 9);
          const ranking = [0, 1, 2, 3, 4, 5].sort((a, b) => shares[b]! - shares[a]! || a - b);
          expect([...columns.subarray(row * 3, row * 3 + 3)]).toEqual(ranking.slice(0, 3));
        }
      });
    });

    describe('a sample', () => {
      test('follows the law', () => {
        const counts = countsOf(model.sample(DRAWN, 3));
        expectLaw(counts, exactly);
      });

      test('is the same rows for a seed, however many are drawn, with names and shape', () => {
        const many = model.sample(1500, 2 ** 40);
        expect([many.rows, many.names, many.shape]).toEqual([1500, names, shape]);
        const few = model.sample(100, 2 ** 40);
        expect(many.selectRows(Array.from({ length: 100 }, (_, row) => row)).bytes).toEqual(few.bytes);
        expect(model.sample(100, 1).bytes).not.toEqual(few.bytes);
        expect(model.sample(0, 1).rows).toBe(0);
      });

      test('is the same rows batch after batch', () => {
        const sampler = model.sampler(7);
        const batches = [0, 1, 40, 59].map((rows) => toValues(sampler.next(rows)));
        expect(Buffer.concat(batches)).toEqual(Buffer.from(toValues(model.sample(100, 7))));
        const later = model.sampler(7);
        later.skip(30);
        expect(toValues(later.next(70))).toEqual(toValues(model.sample(100, 7)).slice(30 * model.dimensions));
      });
    });

    describe('a completion', () => {
      const masks = ['000000', '110000', '000011', '010101'];

      test.each(masks)('of what %s leaves open is drawn given what it keeps', (mask) => {
        const row = '101101';
        const values = BitMatrix.fromRows(new Array<string>(COMPLETED).fill(row));
        const known = BitMatrix.fromRows(new Array<string>(COMPLETED).fill(mask));
        const { matrix, effectiveSampleSize, exact, ...evidence } = model.complete(values, known, { seed: 4 });
        expect([effectiveSampleSize.length, exact.length]).toEqual([COMPLETED, COMPLETED]);
        expect([evidence.logEvidence.length, evidence.logEvidenceError.length]).toEqual([COMPLETED, COMPLETED]);
        const kept = [...mask].flatMap((bit, column) => (bit === '1' ? [column] : []));
        const agrees = exactly.map((_, other) => (kept.every((at) => everyRow.get(other, at) === +row[at]!) ? 1 : 0));
        const total = exactly.reduce((sum, p, other) => sum + p * agrees[other]!, 0);
        for (let at = 0; at < COMPLETED; at++) {
          const off = Math.abs(evidence.logEvidence[at]! - Math.log(total));
          expect(off).toBeLessThan(exact[at] === 1 ? 1e-9 : 8 * evidence.logEvidenceError[at]! + 0.1);
          if (exact[at] === 1) expect(evidence.logEvidenceError[at]).toBe(0);
        }
        expectLaw(
          countsOf(matrix),
          exactly.map((p, other) => (p * agrees[other]!) / total),
        );
      });

      test('keeps what is known, heeds nothing of what is not, and depends on the seed alone', () => {
        const stream = new RandomStream(5, 1002);
        const random = (): BitMatrix => rowsOf(Array.from({ length: 200 }, () => stream.below(2 ** D)));
        const [values, known, noise] = [random(), random(), random()];
        const blurred = BitMatrix.create(200, D);
        const whole = model.complete(values, known, { seed: 8, samples: 20 });
        const { matrix } = whole;
        for (let row = 0; row < 200; row++) {
          for (let column = 0; column < D; column++) {
            const isKnown = known.get(row, column) === 1;
            if (isKnown) expect(matrix.get(row, column)).toBe(values.get(row, column));
            blurred.set(row, column, (isKnown ? values : noise).get(row, column));
          }
        }
        const completed = (from: BitMatrix, seed: number): Uint8Array =>
          toValues(model.complete(from, known, { seed, samples: 20 }).matrix);
        expect(completed(blurred, 8)).toEqual(toValues(matrix));
        expect(completed(values, 9)).not.toEqual(toValues(matrix));
        const first = [...Array(20).keys()];
        const part = model.complete(values.selectRows(first), known.selectRows(first), { seed: 8, samples: 20 });
        expect(toValues(part.matrix)).toEqual(toValues(matrix).slice(0, 20 * D));
        for (const figure of ['effectiveSampleSize', 'exact', 'logEvidence', 'logEvidenceError'] as const) {
          expect(part[figure]).toEqual(whole[figure].slice(0, 20));
        }
        const last = first.map((row) => row + 180);
        const behind = { seed: 8, samples: 20, firstRow: 180 };
        const end = model.complete(values.selectRows(last), known.selectRows(last), behind);
        expect(toValues(end.matrix)).toEqual(toValues(matrix).slice(180 * D));
        expect([matrix.names, matrix.shape]).toEqual([names, shape]);
      });
    });

    test('where it answers exactly, does so for any known values as all rows together do', () => {
      const stream = new RandomStream(3, 1020);
      const rows = Array.from(everyRow.rowCounts(), () => stream.below(2 ** D));
      const values = rowsOf(rows);
      // each mask once
      const fitting = rows.map((row, mask) => exactly.map((p, other) => (((other ^ row) & mask) === 0 ? p : 0)));
      if (isExact(model)) {
        const { rates, logEvidence } = model.marginals(values, everyRow);
        fitting.forEach((chances, mask) => {
          const total = chances.reduce((sum, p) => sum + p, 0);
          expect(Math.abs(logEvidence[mask]! - Math.log(total))).toBeLessThan(1e-9);
          for (let column = 0; column < D; column++) {
            const ones = chances.reduce((sum, p, other) => sum + p * everyRow.get(other, column), 0);
            expect(Math.abs(rates[mask * D + column]! - ones / total)).toBeLessThan(1e-9);
          }
        });
      }
      if (isMostProbable(model)) {
        const { matrix, logLikelihood } = model.mostProbable(values, everyRow);
        const again = model.logLikelihood(matrix);
        fitting.forEach((chances, mask) => {
          for (const nats of [logLikelihood[mask], again[mask]])
            expect(nats).toBeCloseTo(Math.log(Math.max(...chances)), 9);
        });
      }
    });

    describe('its file', () => {
      test('is read as the same model, and written as the same bytes', () => {
        const bytes = model.toBytes();
        const read = openModel(bytes, [codec]);
        expect(Buffer.compare(read.toBytes(), bytes)).toBe(0);
        expect(Buffer.compare(make({ dimensions: D, names, shape }).toBytes(), bytes)).toBe(0);
        for (const key of ['family', 'dimensions', 'names', 'shape', 'specification', 'likelihoods'] as const) {
          expect(read[key]).toEqual(model[key]);
        }
        expect(read.logLikelihood(everyRow)).toEqual(model.logLikelihood(everyRow));
        expect(read.sample(50, 1).bytes).toEqual(model.sample(50, 1).bytes);
        expect(read.summary()).toEqual(model.summary());
      });

      test('is refused with any of its bytes changed', () => {
        const bytes = model.toBytes();
        for (let at = 0; at < bytes.length; at++) {
          const flipped = bytes.slice();
          flipped[at]! ^= 1 << (at % 8);
          expectRefusal(() => openModel(flipped, [codec]), /damaged-file|not-a-network-file|unsupported-version/);
        }
      });
    });

    test('refuses what it cannot answer, and says what to do', () => {
      const wide = BitMatrix.create(3, D + 1);
      const narrow = Uint8Array.of(0, 1, 0, 1);
      for (const rows of [wide, narrow]) {
        expectRefusal(() => model.logLikelihood(rows), /invalid-argument/);
        expectRefusal(() => model.score(rows), /invalid-argument/);
        expectRefusal(() => model.complete(rows, rows, { seed: 0 }), /invalid-argument/);
      }
      expectRefusal(() => model.logLikelihood(Uint8Array.of(0, 1, 0, 2, 0, 0)), /invalid-argument/);
      expectRefusal(() => model.complete(everyRow, BitMatrix.create(2, D), { seed: 0 }), /invalid-argument/);
      expectRefusal(() => model.complete(everyRow, everyRow, { seed: -1 }), /invalid-argument/);
      expectRefusal(() => model.complete(everyRow, everyRow, { seed: 0, samples: 0 }), /invalid-argument/);
      expectRefusal(() => model.score(everyRow, { top: 0.5 }), /invalid-argument/);
      expectRefusal(() => model.sample(-1, 0), /invalid-argument/);
      expectRefusal(() => model.sample(1, 0.5), /invalid-argument/);
    });

    test('where it explains itself, speaks of every column by its stored number', () => {
      if (isExplained(model)) {
        for (let column = 0; column < D; column++) {
          const shares = model.importanceOf(column);
          expect([shares.length, shares[column]]).toEqual([D, 0]);
          for (const unused of model.irrelevantVariables()) expect(shares[unused]).toBe(0);
        }
      }
      if (isOrdered(model)) {
        expect([...model.ordering].sort()).toEqual([0, 1, 2, 3, 4, 5]);
        expect([...model.entropyOrdering('increasing')].sort()).toEqual([0, 1, 2, 3, 4, 5]);
      }
    });
  });
}

/** Rows whose bits are those of numbers, the first column the highest. */
function rowsOf(numbers: readonly number[], dimensions = D): BitMatrix {
  return BitMatrix.fromRows(numbers.map((number) => number.toString(2).padStart(dimensions, '0')));
}

/** How often each of the 2^D rows is there. */
function countsOf(matrix: BitMatrix): Float64Array {
  const counts = new Float64Array(2 ** D);
  for (let row = 0; row < matrix.rows; row++) counts[matrix.bytes[row * matrix.stride]! >> (8 - D)]!++;
  return counts;
}

/**
 * Pearson's chi-square, rows of an expected count below 5 taken together; refused by chance less than once in 10,000.
 */
function expectLaw(counts: Float64Array, law: Float64Array): void {
  expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 6);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const rare = { count: 0, expected: 0 };
  let chiSquare = 0;
  let cells = 0;
  const add = (count: number, expected: number): void => {
    chiSquare += (count - expected) ** 2 / expected;
    cells++;
  };
  law.forEach((p, row) => {
    if (p === 0) expect(counts[row]).toBe(0);
    else if (total * p >= 5) add(counts[row]!, total * p);
    else {
      rare.count += counts[row]!;
      rare.expected += total * p;
    }
  });
  if (rare.expected > 0) add(rare.count, Math.max(rare.expected, 1));
  expect(chiSquare).toBeLessThan(cells - 1 + 5 * Math.sqrt(2 * cells) + 8);
}

function expectRefusal(action: () => unknown, code: RegExp): void {
  let refusal: unknown;
  try {
    action();
  } catch (error) {
    refusal = error;
  }
  const words = expect.stringMatching(/./) as string;
  expect(refusal).toMatchObject({
    code: expect.stringMatching(code) as string,
    got: words,
    expected: words,
    remedy: words,
    retryable: false,
  });
}
