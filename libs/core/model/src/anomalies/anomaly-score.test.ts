import { BitMatrix, encodedBits } from '@orchard/dataset';
import { describe, expect, test } from 'vitest';
import { Coins } from '../port/coins.suite.js';
import { asTabular } from '../tables/binary-columns.js';
import { anomalyScores } from './anomaly-score.js';
import { rowSurprises } from './row-surprises.js';
import { typicalSurprises } from './typical-surprises.js';
import { unusualCells } from './unusual-cells.js';

const likelihoods = { train: null, valid: null, test: null };
const coins = (...ones: number[]) =>
  new Coins(
    { dimensions: ones.length, names: null, shape: null, specification: null, likelihoods },
    Float64Array.from(ones),
  );

const coded = (...rows: number[][]) => encodedBits(BitMatrix.fromRows(rows), 0, rows.length);

describe('the anomaly score', () => {
  const model = asTabular(coins(0.5, 0.99));
  const scoresOf = (...rows: number[][]): number[] => [
    ...anomalyScores(model, rowSurprises(model, coded(...rows), 'value')),
  ];

  test('takes the mean surprise of what the model samples for typical', () => {
    const [fair, rare] = typicalSurprises(model);
    expect(fair).toBeCloseTo(Math.log(2), 10);
    expect(rare).toBeGreaterThan(0);
    expect(rare).toBeCloseTo(-0.99 * Math.log(0.99) - 0.01 * Math.log(0.01), 1);
  });

  test('sums what is beyond the typical surprise of each column, and lets no usual cell make up for it', () => {
    const [, rare] = typicalSurprises(model);
    const [usual, unusual] = scoresOf([1, 1], [1, 0]);
    expect(usual).toBeCloseTo(0, 10);
    expect(unusual).toBeCloseTo(-Math.log(0.01) - rare!, 10);
  });

  test('is the same alone and beside other rows', () => {
    expect(scoresOf([0, 0])[0]).toBe(scoresOf([1, 1], [0, 1], [0, 0])[2]);
  });

  test('counts a cell without a surprise as nothing', () => {
    expect([...anomalyScores(model, Float64Array.of(NaN, 9))][0]).toBeCloseTo(9 - typicalSurprises(model)[1]!, 12);
  });

  test('takes the row for one cell where a likelihood has no share for each column', () => {
    const whole = coins(0.5, 0.9);
    whole.score = (rows) => ({
      logLikelihood: coins(0.5, 0.9).logLikelihood(rows),
      surprise: new Float64Array(0),
      columns: new Uint32Array(0),
      top: 0,
    });
    const own = asTabular(whole);
    const [usual, unusual] = anomalyScores(own, rowSurprises(own, coded([1, 1], [1, 0]), 'value'));
    expect([usual, unusual! > 0.5]).toEqual([0, true]);
  });
});

describe('unusual bits', () => {
  test('are those that the other value would make more probable, beyond what is usual of the column', () => {
    const [cell, ...others] = unusualCells(asTabular(coins(0.5, 0.99)), coded([1, 0]), 0, { top: 3, missing: 'value' });
    expect(others).toEqual([]);
    expect(cell).toMatchObject({ index: 1, expected: '1 (99 %)' });
    expect(cell!.probability).toBeCloseTo(0.01, 10);
  });

  test('are not looked for where none is to be named', () => {
    expect(unusualCells(asTabular(coins(0.5)), coded([1]), 0, { top: 0, missing: 'value' })).toEqual([]);
  });
});
