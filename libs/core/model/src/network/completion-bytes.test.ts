import { createHash } from 'node:crypto';
import { BitMatrix } from '@orchard/dataset';
import { expect, test } from 'vitest';
import { randomMatrix, randomNetwork } from './random-network.suite.js';

/** SHA-256 of all that a completion answers. */
function completed(dimensions: number, share: number, samples: number, seed: number): string {
  const network = randomNetwork({ dimensions, trees: 8, leaves: 8, seed });
  const rows = 60;
  const values = randomMatrix(rows, dimensions, seed + 1);
  const known = randomMatrix(rows, dimensions, seed + 2, share);
  // some rows with a known beginning alone, one that is wholly known, one of which nothing is
  for (let row = 0; row < 8; row++)
    network.ordering.forEach((dim, position) => {
      known.set(row, dim, position < (row * dimensions) / 7);
    });
  const { matrix, ...figures } = network.complete(values, known, { seed, samples });
  const hash = createHash('sha256').update(BitMatrix.fromRows(rowsOf(matrix)).bytes);
  for (const key of ['exact', 'logEvidence', 'logEvidenceError', 'effectiveSampleSize'] as const)
    hash.update(new Uint8Array(figures[key].buffer));
  return hash.digest('hex').slice(0, 16);
}

const rowsOf = (matrix: BitMatrix): string[] =>
  Array.from({ length: matrix.rows }, (_, row) =>
    Array.from({ length: matrix.dimensions }, (_, dim) => String(matrix.get(row, dim))).join(''),
  );

test.each([
  [24, 0.75, 64, 1, 'e687dde38085f6a8'],
  [24, 0.5, 256, 2, 'ad695e1d23b545a8'],
  [40, 0.3, 256, 2 ** 33 + 5, 'd027dd42c642a9d2'],
  [12, 0.5, 256, 4, '95dc75971ecaf9bb'],
  [30, 0.6, 3, 5, 'c86b3724d10290a9'],
  [30, 0.6, 1, 6, '0e5799ea14f54845'],
])(
  'completions of networks keep their bytes: %i columns, %f known, %i particles, seed %i',
  (dimensions, share, samples, seed, bytes) => {
    expect(completed(dimensions, share, samples, seed)).toBe(bytes);
  },
);
