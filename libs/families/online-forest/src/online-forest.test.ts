import { BitMatrix } from '@orchard/dataset';
import { isExact, ModelError } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { countPairs, SmoothedPairs } from '@orchard/forests';
import { chowLiuForest } from '@orchard/forests';
import { describe, expect, test } from 'vitest';
import { lossInHindsight, modelOfStream, OnlineForest, stateBytes, streamFrom, type OnlineStream } from './index.js';

const D = 8;
const names = Array.from({ length: D }, (_, dim) => `c${String(dim)}`);

/** A chain of columns, two of them on their own. */
function rowsOf(count: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1041);
  const matrix = BitMatrix.create(count, D);
  for (let row = 0; row < count; row++)
    for (let dim = 0; dim < D; dim++) {
      const before = dim === 0 || dim > 5 ? 0 : matrix.get(row, dim - 1);
      matrix.set(row, dim, stream.below(6) < (before === 1 ? 5 : 2));
    }
  return matrix;
}

const valuesOf = (matrix: BitMatrix, row: number): Uint8Array =>
  Uint8Array.from({ length: D }, (_, dim) => matrix.get(row, dim));

function streamOf(perturbation = 0.3, seed = 0): OnlineStream {
  const options = { seed, perturbation };
  return { names, options, forest: new OnlineForest(D, options) };
}

const every = BitMatrix.fromRows(Array.from({ length: 2 ** D }, (_, row) => row.toString(2).padStart(D, '0')));

describe('a stream', () => {
  test.each([0, 0.3, 5])('with perturbations up to %d √t costs each row what the model before it says', (c) => {
    const rows = rowsOf(120, 1);
    const stream = streamOf(c);
    let sum = 0;
    for (let row = 0; row < rows.rows; row++) {
      const model = modelOfStream(stream);
      const [expected] = model.logLikelihood(rows.selectRows([row]));
      if (row % 10 === 0)
        expect(Math.abs(model.logLikelihood(every).reduce((all, nats) => all + Math.exp(nats), 0) - 1)).toBeLessThan(
          1e-9,
        );
      const loss = stream.forest.learn(valuesOf(rows, row));
      expect(Math.abs(loss + expected!)).toBeLessThan(1e-9);
      sum += loss;
      expect(stream.forest.state.trees.length).toBeLessThanOrEqual(Math.ceil(Math.log(D)));
    }
    expect(stream.forest.state).toMatchObject({ rows: 120, loss: sum });
  });

  test('follows the leader where nothing is perturbed: what an edge lost is what the rows so far said', () => {
    const rows = rowsOf(40, 2);
    const stream = streamOf(0);
    const losses = new Float64Array((D * (D + 1)) / 2);
    for (let row = 0; row < rows.rows; row++) {
      const values = valuesOf(rows, row);
      for (let a = 0, at = 0; a < D; a++)
        for (let b = 0; b <= a; b++, at++) {
          if (a === b) continue;
          const cells = (of: (at: number) => boolean): number =>
            Array.from({ length: row }, (_, other) => other).filter(of).length;
          const isA = (other: number): boolean => rows.get(other, a) === values[a];
          const isB = (other: number): boolean => rows.get(other, b) === values[b];
          const p = [cells(isA) + 1, cells(isB) + 1, cells((other) => isA(other) && isB(other)) + 0.5] as const;
          losses[at]! += Math.log((p[0] * p[1]) / (p[2] * (row + 2)));
        }
      stream.forest.learn(values);
    }
    stream.forest.state.losses.forEach((loss, at) => expect(loss).toBeCloseTo(losses[at]!, 9));
  });

  test('nears the tree of Chow and Liu that has seen all rows', () => {
    const rows = rowsOf(4000, 3);
    const stream = streamOf();
    let late = 0;
    for (let row = 0; row < rows.rows; row++) {
      const loss = stream.forest.learn(valuesOf(rows, row));
      if (row >= 2000) late += loss;
    }
    const columns = Uint32Array.from({ length: D }, (_, column) => column);
    const { forest } = chowLiuForest(new SmoothedPairs(countPairs(rows), 1), columns);
    let batch = 0;
    for (let row = 2000; row < rows.rows; row++) batch -= forest.logProbability(valuesOf(rows, row));
    expect(late / 2000).toBeLessThan(batch / 2000 + 0.02);
    expect(isExact(modelOfStream(stream))).toBe(true);
  });

  test('that is stopped and gone on with is the same bytes, and another seed is another stream', () => {
    const rows = rowsOf(300, 4);
    const whole = streamOf();
    let parts = streamOf();
    const other = streamOf(0.3, 1);
    for (let row = 0; row < rows.rows; row++) {
      whole.forest.learn(valuesOf(rows, row));
      other.forest.learn(valuesOf(rows, row));
      if (row % 70 === 0) parts = streamFrom(stateBytes(parts));
      parts.forest.learn(valuesOf(rows, row));
    }
    expect(Buffer.compare(stateBytes(whole), stateBytes(parts))).toBe(0);
    expect(Buffer.compare(modelOfStream(whole).toBytes(), modelOfStream(parts).toBytes())).toBe(0);
    expect(Buffer.compare(stateBytes(whole), stateBytes(other))).not.toBe(0);
    expect(parts.names).toEqual(names);
  });

  test('of trees leaves no column on its own, and continues as trees', () => {
    const rows = rowsOf(60, 6);
    const options = { seed: 0, perturbation: 0.3, structure: 'trees' } as const;
    let stream: OnlineStream = { names, options, forest: new OnlineForest(D, options) };
    for (let row = 0; row < rows.rows; row++) {
      if (row === 30) stream = streamFrom(stateBytes(stream));
      stream.forest.learn(valuesOf(rows, row));
      for (const { tree } of stream.forest.state.trees) expect([...tree].filter((parent) => parent === D)).toEqual([D]);
    }
    expect(stream.options.structure).toBe('trees');
  });

  test('is held against the tree that fits its rows best', () => {
    const rows = rowsOf(300, 7);
    const stream = streamOf();
    for (let row = 0; row < rows.rows; row++) stream.forest.learn(valuesOf(rows, row));
    // next to nothing is added to the counts
    const { forest: best } = chowLiuForest(
      new SmoothedPairs(countPairs(rows), 1e-9),
      Uint32Array.from({ length: D }, (_, dim) => dim),
    );
    const nats = Array.from({ length: 300 }, (_, row) => best.logProbability(valuesOf(rows, row)));
    const loss = -nats.reduce((sum, own) => sum + own, 0);
    expect(lossInHindsight(stream.forest)).toBeCloseTo(loss, 3);
    expect(stream.forest.state.loss).toBeGreaterThan(loss);
  });

  test('of one column is what Jeffreys’ pairs say of it', () => {
    const forest = new OnlineForest(1, { seed: 0, perturbation: 1 });
    expect([1, 1, 0].map((value) => forest.learn(Uint8Array.of(value)))).toEqual(
      [1 / 2, 2 / 3, 1 / 4].map((p) => expect.closeTo(-Math.log(p), 12) as number),
    );
  });
});

test('a state that is damaged, or a model, is refused', () => {
  const stream = streamOf();
  stream.forest.learn(new Uint8Array(D));
  const bytes = stateBytes(stream);
  bytes[bytes.length >> 1]! ^= 1;
  expect(() => streamFrom(bytes)).toThrow(ModelError);
  expect(() => streamFrom(modelOfStream(stream).toBytes())).toThrow(/the state of a stream of rows/);
  const odd = { ...stream, options: { ...stream.options, seed: -1 } };
  expect(() => streamFrom(stateBytes(odd))).toThrow(/"seed":-1.*rows, loss, seed and perturbation/s);
});
