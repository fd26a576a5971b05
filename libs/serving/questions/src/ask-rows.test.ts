import { emptyEnsemble, Network, untold } from '@orchard/model';
import { describe, expect, test } from 'vitest';
import { askComplete, completeRowsAnswerSchema } from './index.js';

/** Three independent columns, 1 by 3 in 4, 1 in 2 and 1 in 5: trees of no split know no more than their start. */
const network = new Network({
  names: ['a', 'b', 'c'],
  shape: null,
  ordering: Uint32Array.of(0, 1, 2),
  ensembles: [3, 1, 1 / 4].map((odds) => emptyEnsemble(odds)),
  specification: null,
  likelihoods: untold,
});
const rows = [
  [null, 1, null],
  [0, 0, 0],
];

/** As every answer is, it is what the schema says. */
const asked = (words: object) => completeRowsAnswerSchema.parse(askComplete(network, { rows, ...words })).rows;

describe('rows of 0 and 1 are completed', () => {
  test('as often as is asked, each time as another seed does', () => {
    const [first] = asked({ draws: 3, seed: 4 });
    expect(first!.completions).toEqual([4, 5, 6].map((seed) => asked({ seed })[0]!.completions[0]));
    expect(first!.completion).toEqual(first!.completions[0]);
  });

  test('by the probabilities of each missing value, the more probable first', () => {
    const [first, whole] = asked({ probabilities: true });
    expect(Object.keys(first!.probabilities!)).toEqual(['a', 'c']);
    const { a, c } = first!.probabilities!;
    expect(a!.map(({ value }) => value)).toEqual(['1', '0']);
    expect(Math.abs(a![0]!.probability - 0.75)).toBeLessThan(0.1);
    expect(c!.map(({ value }) => value)).toEqual(['0', '1']);
    expect(c![0]!.probability + c![1]!.probability).toBeCloseTo(1, 12);
    expect(first!.completions).toEqual([]);
    expect(whole!.probabilities).toEqual({});
  });

  test('or refused where it would take too much', () => {
    const many = Array.from({ length: 1000 }, () => [null, null, null]);
    expect(() => askComplete(network, { rows: many, draws: 100, samples: 4096 })).toThrow('in one request');
  });
});
