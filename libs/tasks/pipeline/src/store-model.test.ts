import { BitMatrix } from '@orchard/dataset';
import type { BinaryMatrix } from '@orchard/model';
import { expect, test } from 'vitest';
import { judgedModel } from './store-model.js';

test('likelihoods are means over all rows, in their order, of a model that is asked about equal rows once', () => {
  const words = ['0110', '1000', '0110', '0000', '1000', '0110'];
  const asked: number[] = [];
  const natsOf = (word: string): number => -Math.log(3 + parseInt(word, 2));
  const logLikelihood = (rows: BinaryMatrix): Float64Array => {
    const matrix = rows as BitMatrix;
    asked.push(matrix.rows);
    return Float64Array.from({ length: matrix.rows }, (_, row) =>
      natsOf([0, 1, 2, 3].map((dim) => matrix.get(row, dim)).join('')),
    );
  };
  const [train, valid] = [BitMatrix.fromRows(words), BitMatrix.fromRows(words.slice(1, 3))];
  const model = judgedModel((likelihoods) => ({ likelihoods, logLikelihood }), { train, valid, test: null });
  expect(model.likelihoods).toEqual({
    train: words.reduce((sum, word) => sum + natsOf(word), 0) / 6,
    valid: (natsOf('1000') + natsOf('0110')) / 2,
    test: null,
  });
  expect(asked).toEqual([3, 2]);
});
