import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { select, selectionMethods, type DimensionCurves, type SelectionMethod } from '../index.js';

/** Small whole numbers: ties abound and plain sums are exact, so that brute force has no rounding of its own. */
const whole = fc.integer({ min: -6, max: 0 });
const dimensionOf = (value: fc.Arbitrary<number>): fc.Arbitrary<DimensionCurves> =>
  fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 6 }).map((points) => ({
    train: Float64Array.from(points, ([train]) => train),
    valid: Float64Array.from(points, ([, valid]) => valid),
  }));
const smallCurves = fc.array(dimensionOf(whole), { minLength: 1, maxLength: 5 });

const last = (curve: DimensionCurves): number => curve.train.length - 1;
const sum = (curves: readonly DimensionCurves[], rounds: readonly number[], split: 'train' | 'valid'): number =>
  curves.reduce((total, curve, dim) => total + curve[split][rounds[dim]!]!, 0);
const treesOf = (rounds: readonly number[]): number => rounds.reduce((a, b) => a + b, 0);

/** The models that a method chooses among, as the definition lists them, by quadratic search. */
function candidates(method: Exclude<SelectionMethod, 'individual'>, curves: readonly DimensionCurves[]): number[][] {
  if (method === 'common') {
    const longest = Math.max(...curves.map(last));
    return Array.from({ length: longest + 1 }, (_, t) => curves.map((curve) => Math.min(t, last(curve))));
  }
  const step = method === 'linearized' ? 1 : -1;
  let rounds = curves.map((curve) => (step > 0 ? 0 : last(curve)));
  const path = [rounds];
  for (;;) {
    let bestDim = -1;
    let bestChange = -Infinity;
    curves.forEach(({ train }, dim) => {
      const to = rounds[dim]! + step;
      if (to < 0 || to >= train.length) return;
      const change = train[to]! - train[rounds[dim]!]!;
      if (change > bestChange) [bestDim, bestChange] = [dim, change];
    });
    if (bestDim < 0) return path;
    rounds = rounds.with(bestDim, rounds[bestDim]! + step);
    path.push(rounds);
  }
}

/** The best of the models by validation likelihood, the smaller among equals. */
function bestOf(models: number[][], curves: readonly DimensionCurves[]): number[] {
  return models.reduce((best, model) => {
    const difference = sum(curves, model, 'valid') - sum(curves, best, 'valid');
    return difference > 0 || (difference === 0 && treesOf(model) < treesOf(best)) ? model : best;
  });
}

describe('select', () => {
  test('individual is the best model of all, and no smaller one is as good', () => {
    fc.assert(
      fc.property(smallCurves, (curves) => {
        let models: number[][] = [[]];
        for (const curve of curves) {
          models = models.flatMap((model) => Array.from(curve.valid, (_, round) => [...model, round]));
        }
        expect([...select('individual', curves).rounds]).toEqual(bestOf(models, curves));
      }),
    );
  });

  test.each(['common', 'linearized', 'linearized-backward'] as const)(
    '%s equals brute force, ties included',
    (method) => {
      fc.assert(
        fc.property(smallCurves, (curves) => {
          const models = candidates(method, curves);
          const selection = select(method, curves);
          const rounds = [...selection.rounds];
          expect(rounds).toEqual(bestOf(models, curves));
          expect(selection.trees).toBe(treesOf(rounds));
          expect(selection.trainLogLikelihood).toBe(sum(curves, rounds, 'train'));
          expect(selection.validLogLikelihood).toBe(sum(curves, rounds, 'valid'));
        }),
        { numRuns: 500 },
      );
    },
  );

  test.each(['common', 'linearized', 'linearized-backward'] as const)(
    'the path of %s holds every model when short',
    (method) => {
      fc.assert(
        fc.property(smallCurves, (curves) => {
          const models = candidates(method, curves).sort((a, b) => treesOf(a) - treesOf(b));
          const { path, trees } = select(method, curves);
          expect([...path!.trees]).toEqual(models.map(treesOf));
          expect([...path!.train]).toEqual(models.map((model) => sum(curves, model, 'train')));
          expect([...path!.valid]).toEqual(models.map((model) => sum(curves, model, 'valid')));
          expect(path!.trees[path!.chosen]).toBe(trees);
        }),
      );
    },
  );

  test.each(selectionMethods)(
    '%s does not depend on rounding: a permutation of the dimensions permutes the rounds',
    (method) => {
      const anyLikelihood = fc.double({ min: -1e6, max: 0, noNaN: true });
      const someCurves = fc.array(dimensionOf(anyLikelihood), { minLength: 2, maxLength: 6 });
      fc.assert(
        fc.property(someCurves, (curves) => {
          const plain = select(method, curves);
          const turned = select(method, [...curves.slice(1), curves[0]!]);
          // equal training steps of different dimensions are broken by index, so only the sums of other paths agree
          // then
          const steps = curves.flatMap(({ train }) => [...train.slice(1)].map((value, t) => value - train[t]!));
          fc.pre(new Set(steps).size === steps.length);
          expect([...turned.rounds]).toEqual([...plain.rounds.slice(1), plain.rounds[0]]);
          expect(turned.trainLogLikelihood).toBe(plain.trainLogLikelihood);
          expect(turned.validLogLikelihood).toBe(plain.validLogLikelihood);
        }),
      );
    },
  );

  test('a tie that rounding would hide goes to the smaller model', () => {
    // two dimensions cancel exactly in the third tree, while a running sum in doubles ends above where it was
    const curves = [
      { train: Float64Array.of(-3, -2), valid: Float64Array.of(-0.3, -0.1) },
      { train: Float64Array.of(-3, -2.5), valid: Float64Array.of(-0.1, -0.3) },
      { train: Float64Array.of(-3, -2.75), valid: Float64Array.of(-0.7, -0.5) },
      { train: Float64Array.of(-3, -2.875), valid: Float64Array.of(-0.5, -0.7) },
    ];
    const { rounds, trees } = select('common', curves);
    expect({ rounds: [...rounds], trees }).toEqual({ rounds: [0, 0, 0, 0], trees: 0 });
    expect([...select('linearized', curves).rounds]).toEqual([1, 0, 0, 0]);
    expect([...select('linearized-backward', curves).rounds]).toEqual([1, 0, 0, 0]);
  });

  test('a dimension that stopped early offers no more trees, and its curve goes on flat in the common one', () => {
    const curves = [
      { train: Float64Array.of(-8, -1), valid: Float64Array.of(-8, -1) },
      { train: Float64Array.of(-8, -7, -6, -5), valid: Float64Array.of(-8, -7, -6, -7) },
    ];
    const common = select('common', curves);
    expect(common.commonRounds).toBe(2);
    expect([...common.rounds]).toEqual([1, 2]);
    expect(common.validLogLikelihood).toBe(-7);
    expect([...select('linearized', curves).rounds]).toEqual([1, 2]);
    expect([...select('linearized-backward', curves).rounds]).toEqual([1, 2]);
  });

  test('a long path is thinned to the points asked for, with both ends and the chosen model', () => {
    const rounds = 5000;
    const climb = (t: number): number => -1000 / (t + 1);
    const valid = Float64Array.from({ length: rounds + 1 }, (_, t) => climb(t) - Math.abs(t - 1234.5));
    const curves = [{ train: Float64Array.from({ length: rounds + 1 }, (_, t) => climb(t)), valid }];
    for (const method of ['common', 'linearized', 'linearized-backward'] as const) {
      const { path, trees } = select(method, curves, { pathPoints: 100 });
      expect(trees).toBe(1235);
      expect(path!.trees).toHaveLength(101);
      expect([path!.trees[0], path!.trees.at(-1), path!.trees[path!.chosen]]).toEqual([0, rounds, 1235]);
      expect(path!.valid[path!.chosen]).toBe(Math.max(...path!.valid));
      expect([...path!.trees]).toEqual([...path!.trees].sort((a, b) => a - b));
    }
  });

  test.each([
    ['no dimensions', []],
    ['a curve without points', [{ train: new Float64Array(0), valid: new Float64Array(0) }]],
    ['curves of different lengths', [{ train: new Float64Array(3), valid: new Float64Array(2) }]],
    ['a training curve that is not a number', [{ train: Float64Array.of(-1, NaN), valid: Float64Array.of(-1, -1) }]],
    ['an infinite validation curve', [{ train: Float64Array.of(-1, -1), valid: Float64Array.of(-1, -Infinity) }]],
  ])('refuses %s', (_, curves) => {
    expect(() => select('linearized', curves)).toThrow(expect.objectContaining({ code: 'invalid-curves' }));
  });

  test('says which point of which curve is damaged', () => {
    const good = { train: Float64Array.of(-1, -1), valid: Float64Array.of(-1, -1) };
    const bad = { train: Float64Array.of(-1, -1), valid: Float64Array.of(-1, NaN) };
    expect(() => select('common', [good, bad])).toThrow(
      expect.objectContaining({ where: 'dimension 1, round 1', got: 'NaN in the validation curve', retryable: false }),
    );
  });
});
