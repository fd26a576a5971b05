import { BitMatrix } from '@orchard/dataset';
import type { Network } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { sparn } from './index.js';

const [height, width] = [3, 4];

/** Images whose pixels follow the one above and the one to the left together, as no regression can. */
function images(rows: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1031);
  const matrix = BitMatrix.create(rows, height * width, { shape: [height, width] });
  for (let row = 0; row < rows; row++)
    for (let pixel = 0; pixel < height * width; pixel++) {
      const above = pixel < width ? 0 : matrix.get(row, pixel - width);
      const left = pixel % width === 0 ? 0 : matrix.get(row, pixel - 1);
      matrix.set(row, pixel, stream.uniform() < (above === left ? 0.2 : 0.9));
    }
  return matrix;
}

const rows = () => Promise.resolve([images(300, 1), images(80, 2), images(80, 3)] as const);

describeFamily(
  sparn,
  { parents: '2,4', pseudoCount: '0.1,1' },
  { rows, skip: [{ test: 'few', reason: 'one column of an image is no image' }] },
);

describe('tables of a grid', () => {
  test('are counts of the neighbours with a pseudocount, those of the border of fewer', async () => {
    const train = images(400, 4);
    const { model } = await trainedOn([train, images(100, 5)], sparn, { parents: 3, pseudoCount: 0.5 });
    const cells = (model as Network).score(train, { top: 0 }).surprise;
    for (const [pixel, parents] of [
      [0, []],
      [2, [1]],
      [4, [0]],
      [6, [1, 2, 5]],
      [11, [6, 7, 10]],
    ] as const)
      for (let row = 0; row < 20; row++) {
        const same = Array.from({ length: train.rows }, (_, at) => at).filter((at) =>
          parents.every((parent) => train.get(at, parent) === train.get(row, parent)),
        );
        const alike = same.filter((at) => train.get(at, pixel) === train.get(row, pixel));
        const share = (alike.length + 0.5) / (same.length + 1);
        expect(cells[row * height * width + pixel]).toBeCloseTo(-Math.log(share), 10);
      }
  });

  test('are of as many parents, with the prior, as the validation rows like best', async () => {
    const [train, valid, test] = await rows();
    const { model, summary } = await trainedOn([train, valid, test], sparn, { parents: '4,2' });
    const { tables } = summary as unknown as {
      tables: { chosen: { parents: number; valid: number }; tried: { parents: number; valid: number }[] };
    };
    expect(tables.tried).toHaveLength(2 * 6);
    expect(tables.chosen.valid).toBe(Math.max(...tables.tried.map(({ valid: nats }) => nats)));
    expect(tables.chosen.parents).toBe(2);
    expect(model.likelihoods.valid).toBeCloseTo(tables.chosen.valid, 10);
    const regressions = await trainedOn([train, valid, test], sparn, { neighbours: 1 });
    expect(model.likelihoods.test).toBeGreaterThan(regressions.model.likelihoods.test! + 0.5);
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 4, names: null };
  const resolve = (words: object, shape: [number, number] | null) =>
    sparn.resolve({ ...words }, { train: { ...facts, shape }, valid: { ...facts, shape }, test: null });

  test('are refused of rows without a shape, and beside options of regressions', () => {
    expect(() => resolve({ parents: 2 }, null)).toThrow(/--shape 28x28/);
    expect(() => resolve({ parents: 2, penalty: 1 }, [2, 2])).toThrow(/penalty, which is an option of regressions/);
    expect(() => resolve({ pseudoCount: 1 }, [2, 2])).toThrow(/--parents 4/);
    for (const parents of [1, 5, '2,5']) expect(sparn.words.safeParse({ parents }).success).toBe(false);
    expect(resolve({ parents: 2, seed: 3 }, [2, 2])).toEqual(resolve({ parents: '2' }, [2, 2]));
  });
});
