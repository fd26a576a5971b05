import { notNamed, sharesOf } from '@orchard/analysis';
import type { TabularModel } from '@orchard/model';
import { describe, expect, it } from 'vitest';
import { asUsageOf } from '../../output/errors.js';
import { saidShares } from './shares.js';

const number = { type: 'number', decimals: 0, places: 1, padded: false } as const;
const age = {
  ...{ name: 'age', kind: 'ordered', format: number, measure: 'mass', holes: 0, range: [20, 60], hasZeros: false },
  ...{ values: [20, 40, 60], lower: [20, 40, 60], upper: [20, 40, 60], counts: [1, 1, 1], edges: [30, 50] },
};
const city = { name: 'city', kind: 'categorical', labels: ['Kiel', 'Lund, west'], counts: [5, 5], holes: 0, others: 0 };
const model = { table: { variables: [city, age] } } as unknown as TabularModel;

const refused = (...texts: string[]): string => {
  try {
    sharesOf(model, saidShares(model, texts));
    return 'taken';
  } catch (error) {
    return String(asUsageOf('--shares', error));
  }
};

describe('--shares', () => {
  it('names labels, in quotes what has a comma', () => {
    const [column] = sharesOf(model, saidShares(model, ['city=Kiel:.25,"Lund, west":.75']));
    expect(column!.parts.map(({ words, share }) => [words, share])).toEqual([
      ['Kiel', 0.25],
      ['Lund, west', 0.75],
    ]);
    expect(column!.parts.map(({ allowed }) => [...allowed.weights].slice(0, 2))).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(notNamed(model, column!)).toEqual([]);
    expect(notNamed(model, sharesOf(model, saidShares(model, ['city=Kiel:1']))[0]!)).toEqual(['Lund, west']);
  });

  it('takes shares that were rounded for 1', () => {
    const [column] = sharesOf(model, saidShares(model, ['city=Kiel:.333,"Lund, west":.666']));
    expect(column!.parts[0]!.share).toBeCloseTo(1 / 3, 12);
  });

  it.each([
    [['city=Kiel:.5,"Lund, west":.4'], 'got shares of city that are 0.9 together, expected 1'],
    [['city=Kiel:60'], 'got the share "60" in "city=Kiel:60", expected a number from 0 to 1'],
    [['city=Kiel:-.1,"Lund, west":1.1'], 'got the share "-.1"'],
    [['city=Kile:1'], 'got "Kile" for city'],
    [['town=Kiel:1'], 'got the column "town"'],
    [['city=Kiel'], 'got "Kiel", expected a column and the shares of its values'],
    [['Kiel:1'], 'got "Kiel:1", expected a column'],
    [['city=Kiel:.5,Kiel:.5'], 'got Kiel and Kiel of city, which have values in common'],
    [['city=Kiel:1', 'city=Kiel:1'], 'got city twice'],
  ])('%s is refused', (texts, said) => {
    expect(refused(...texts)).toContain(said);
  });
});
