import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { fitRidge, KnownSums } from './ridge.js';

const stream = new RandomStream(4, 1);
const column = (): Float64Array => Float64Array.from({ length: 200 }, () => 2 * stream.uniform() - 1);
const [one, other] = [column(), column()];

test('finds the coefficients of a sum', () => {
  const target = one.map((value, row) => 2 * value - 0.5 * other[row]!);
  const { coefficients, penalty, predicted } = fitRidge({ predictors: [one, other], target }, [1, 1e-6]);
  expect(penalty).toBe(1e-6);
  expect(coefficients[0]).toBeCloseTo(2, 4);
  expect(coefficients[1]).toBeCloseTo(-0.5, 4);
  expect(Math.max(...predicted.map((value, row) => Math.abs(value - target[row]!)))).toBeLessThan(1e-4);
});

test('a predictor that is there twice, or nothing but zeros, shares or gets none', () => {
  const zeros = new Float64Array(200);
  const { coefficients } = fitRidge({ predictors: [one, one, zeros], target: one }, [1e-4]);
  expect(coefficients[0]).toBeCloseTo(0.5, 2);
  expect(coefficients[1]).toBeCloseTo(0.5, 2);
  expect(coefficients[2]).toBe(0);
});

test('takes the largest penalty where predictors tell nothing, whose rows are other ones', () => {
  const fit = fitRidge({ predictors: Array.from({ length: 60 }, column), target: column() }, [1, 1e-3]);
  expect(fit.penalty).toBe(1);
});

test('has the penalty that errs least of the rows, as if each were tried by itself', () => {
  const penalties = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003];
  for (let count = 1; count < 12; count++) {
    const predictors = Array.from({ length: count }, column);
    predictors.push(predictors[0]!);
    const target = column().map((noise, row) => noise + (count % 3) * predictors[count - 1]![row]!);
    const alone = penalties.map((penalty) => fitRidge({ predictors, target }, [penalty]));
    const best = alone.reduce((least, fit) => (fit.error < least.error ? fit : least));
    expect(fitRidge({ predictors, target }, penalties)).toEqual(best);
  }
});

test('what is known of some predictors changes nothing of a regression on more', () => {
  const predictors = Array.from({ length: 6 }, column);
  const target = predictors[0]!.map((value, row) => value - predictors[5]![row]!);
  const known = new KnownSums();
  fitRidge({ predictors: predictors.slice(2, 4).reverse(), target }, [0.1, 0.01], known);
  const more = fitRidge({ predictors, target }, [0.1, 0.01], known);
  expect(more).toEqual(fitRidge({ predictors, target }, [0.1, 0.01]));
});

test('of one row there is a regression too', () => {
  const fit = fitRidge({ predictors: [Float64Array.of(0)], target: Float64Array.of(0) }, [0.1]);
  expect([...fit.coefficients, ...fit.predicted]).toEqual([0, 0]);
});
