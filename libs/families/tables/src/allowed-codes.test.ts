import { decisionTreeOf, pathsOf } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { allowedOdds, firstOpen } from './allowed-codes.js';
import { drawnWeights, filledWeights } from '@orchard/model';
import { binary, categorical, ordered } from './random-table.suite.js';

const variables = [
  ordered('a', 6, 'density', 1),
  categorical('b', 4, { holes: 1, others: 2 }),
  categorical('c', 1),
  binary('d', 2),
];

test.each(variables)(
  'what is allowed of $name is as probable as its codes together, and each has its share',
  (variable) => {
    const tree = decisionTreeOf(variable);
    const paths = pathsOf(tree);
    const stream = new RandomStream(1, 1000);
    const places = 5;
    const all = Array.from(tree.zero, () => Float64Array.from({ length: places }, () => 0.2 + 3 * stream.uniform()));
    for (const weights of [
      paths.map(() => 1),
      paths.map((_, code) => (code % 2 === 0 ? 0.25 : 0)),
      paths.map((_, code) => (code === 0 ? 1 : 0)),
      [...filledWeights(variable)],
    ]) {
      const asked: number[] = [];
      const { chances, odds } = allowedOdds(tree, weights, places, (decision) => {
        asked.push(decision);
        return all[decision]!;
      });
      const share = (given: readonly (Float64Array | null)[], code: number, place: number): number =>
        paths[code]!.reduce((p, { decision, outcome }) => {
          const ones = (given[decision] ?? all[decision]!)[place]!;
          const one = ones === Infinity ? 1 : ones / (1 + ones);
          return p * (outcome === 1 ? one : 1 - one);
        }, 1);
      for (let place = 0; place < places; place++) {
        const own = weights.map((weight, code) => weight * share(all, code, place));
        const sum = own.reduce((a, b) => a + b, 0);
        expect(chances[place]).toBeCloseTo(sum, 12);
        own.forEach((p, code) => {
          if (weights.some((weight) => weight > 0)) expect(share(odds, code, place)).toBeCloseTo(p / sum, 12);
        });
      }
      // all is allowed: nothing has to be looked at
      if (weights.every((weight) => weight === 1)) expect(asked).toEqual([]);
    }
  },
);

test.each(variables)('of $name only what is allowed is drawn, however sure the model is of the rest', (variable) => {
  const tree = decisionTreeOf(variable);
  const paths = pathsOf(tree);
  paths.forEach((path, allowed) => {
    const weights = paths.map((_, code) => (code === allowed ? 1 : 0));
    // every decision leads away from the code
    const odds = path.map(({ outcome }) => (outcome === 1 ? 2 ** -60 : 2 ** 60));
    const conditioned = allowedOdds(tree, weights, 1, (decision) =>
      Float64Array.of(odds[path.findIndex((own) => own.decision === decision)] ?? 1),
    );
    expect(conditioned.chances[0]! / 2 ** (-60 * path.length)).toBeCloseTo(1, 12);
    for (const { decision, outcome } of path) expect(conditioned.odds[decision]![0]).toBe(outcome === 1 ? Infinity : 0);
  });
});

test('a blank begins behind the decisions on holes and on "(other)"', () => {
  for (const variable of variables) {
    const tree = decisionTreeOf(variable);
    const weights = filledWeights(variable);
    const first = firstOpen(tree, weights);
    const isBelow = (code: number): boolean =>
      first < 0 ? code === -1 - first : pathsOf(tree)[code]!.some(({ decision }) => decision === first);
    weights.forEach((weight, code) => {
      expect(isBelow(code)).toBe(weight === 1);
    });
  }
  const [, other] = variables;
  expect(firstOpen(decisionTreeOf(other!), drawnWeights(other!))).toBe(0);
});
