import { BitMatrix } from '@orchard/dataset';
import { RandomStream, Purpose } from '@orchard/numerics';
import { expect, test } from 'vitest';

interface Rows {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
  readonly test: BitMatrix;
}
const { singleTrees } = (await import(new URL('./single-tree.mjs', import.meta.url).href)) as {
  singleTrees: (splits: Rows) => Promise<{ readonly nats: number; readonly leaves: number }>;
};

/** Column 2 is column 0 in nine rows of ten; column 1 is chance. */
function rows(count: number, seed: number): BitMatrix {
  const random = new RandomStream(seed, Purpose.sample, 0);
  return BitMatrix.fromRows(
    Array.from({ length: count }, () => {
      const [first, second] = [random.below(2), random.below(2)];
      return [first, second, random.below(10) === 0 ? 1 - first : first].join('');
    }),
  );
}

const entropy = (share: number): number => -share * Math.log(share) - (1 - share) * Math.log(1 - share);

test('a single tree a column finds what there is to find, and leaves chance alone', async () => {
  const { nats, leaves } = await singleTrees({ train: rows(4000, 1), valid: rows(2000, 2), test: rows(2000, 3) });
  expect(nats).toBeCloseTo(-(2 * Math.LN2 + entropy(0.1)), 1);
  // one, one and two; chance may add a leaf or two that validation rows happen to like
  expect(leaves).toBeGreaterThanOrEqual(4 / 3);
  expect(leaves).toBeLessThan(3);
});
