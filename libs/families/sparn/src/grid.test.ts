import { BitMatrix } from '@orchard/dataset';
import { attachSorted, designOf, fitPath, sortRows } from '@orchard/logistic';
import type { Mixture } from '@orchard/members';
import { RandomStream } from '@orchard/numerics';
import { trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { neighboursBefore, type Sparn } from '@orchard/sparse-network';
import { sparn } from './index.js';

const [height, width] = [3, 4];

/** Images whose pixels follow the one above and the one two to the left. */
function images(rows: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1030);
  const matrix = BitMatrix.create(rows, height * width, { shape: [height, width] });
  for (let row = 0; row < rows; row++)
    for (let pixel = 0; pixel < height * width; pixel++) {
      const above = pixel < width ? 0.5 : matrix.get(row, pixel - width);
      const left = pixel % width < 2 ? 0.5 : matrix.get(row, pixel - 2);
      matrix.set(row, pixel, stream.uniform() < 0.1 + 0.5 * above + 0.3 * left);
    }
  return matrix;
}

test('a pixel has those neighbours that come before it and are on the grid', () => {
  const four = (pixel: number): number[] => [...neighboursBefore([height, width], pixel, 1)];
  expect([0, 1, 3, 4, 6, 11].map(four)).toEqual([[], [0], [2], [0, 1], [1, 2, 3, 5], [6, 7, 10]]);
  expect([...neighboursBefore([5, 5], 12, 2)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect([...neighboursBefore([2, 3], 5, 1000)]).toEqual([0, 1, 2, 3, 4]);
});

describe('a network on a grid', () => {
  test('is the network of each pixel and its neighbours alone', async () => {
    const train = images(400, 1);
    const { model } = await trainedOn([train, train], sparn, { penalty: 2, neighbours: 1 });
    const { intercepts, starts, predictors, weights } = (model as Sparn).sparse;
    for (let pixel = 0; pixel < height * width; pixel++) {
      const [row, column] = [Math.floor(pixel / width), pixel % width];
      const around = [
        [row - 1, column - 1],
        [row - 1, column],
        [row - 1, column + 1],
        [row, column - 1],
      ].flatMap(([y, x]) => (y! >= 0 && x! >= 0 && x! < width ? [y! * width + x!] : []));
      const rows = attachSorted(sortRows(train.selectColumns([...around, pixel])));
      const [wanted] = [...fitPath(designOf(rows, around.length), [2], { tolerance: 1e-7 })];
      const own = [...Array(starts[pixel + 1]! - starts[pixel]!).keys()].map((at) => starts[pixel]! + at);
      expect(own.map((at) => predictors[at])).toEqual([...wanted!.predictors].map((at) => around[at]));
      // both are near the minimum, as near as the tolerance of a run
      expect(intercepts[pixel]).toBeCloseTo(wanted!.intercept, 2);
      own.forEach((at, place) => expect(weights[at]).toBeCloseTo(wanted!.weights[place]!, 2));
    }
    expect(weights.length).toBeGreaterThan(8);
    expect(model.summary().facts[3]).toEqual([
      'neighbours',
      'each pixel by those before it, at most 1 rows and columns away',
    ]);
  });

  test('may be one of several that are mixed', async () => {
    const rows = images(300, 2);
    const words = { penalty: 1, neighbours: 1, components: 2, steps: 1 };
    const { model } = await trainedOn([rows, rows], sparn, words);
    for (const member of (model as Mixture).members as readonly Sparn[]) {
      const { starts, predictors } = member.sparse;
      for (let pixel = 0; pixel < height * width; pixel++) {
        const allowed = neighboursBefore([height, width], pixel, 1);
        for (const predictor of predictors.subarray(starts[pixel], starts[pixel + 1]))
          expect(allowed).toContain(predictor);
      }
      expect(predictors.length).toBeGreaterThan(5);
    }
  });
});

describe('neighbours', () => {
  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 4, names: null };
  const resolve = (words: object, shape: [number, number] | null) =>
    sparn.resolve({ ...words }, { train: { ...facts, shape }, valid: { ...facts, shape }, test: null });

  test('are another run, and one that says nothing of them is what it was', () => {
    expect(resolve({ neighbours: 1 }, [2, 2]).specification).toMatchObject({ neighbours: 1 });
    expect(resolve({ neighbours: 1 }, [2, 2]).runId).not.toBe(resolve({ neighbours: 2 }, [2, 2]).runId);
    expect(resolve({}, [2, 2])).toEqual(resolve({}, null));
    expect(resolve({}, null).specification).not.toHaveProperty('neighbours');
    const shapes = [[2, 6] as const, [3, 4] as const].map((shape) => BitMatrix.create(2, 12, { shape }).contentHash());
    expect(shapes[0]).not.toBe(shapes[1]);
  });

  test('of rows without a shape are refused', () => {
    expect(() => resolve({ neighbours: 1 }, null)).toThrow(/--shape 28x28/);
    for (const neighbours of [0, 1.5]) expect(sparn.words.safeParse({ neighbours }).success).toBe(false);
  });
});
