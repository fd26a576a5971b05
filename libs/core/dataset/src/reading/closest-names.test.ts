import { describe, expect, it } from 'vitest';
import { closestNames, didYouMean } from './closest-names.js';

describe('names that a misspelt one may mean', () => {
  it('are those a few letters away, closest first, whatever the case', () => {
    const names = ['drinker', 'smokes', 'smoker', 'age'];
    expect(closestNames('smokr', names)).toEqual(['smoker']);
    expect(closestNames('smokre', names)).toEqual(['smoker', 'smokes']);
    expect(closestNames('SMOKER', names)[0]).toBe('smoker');
    expect(closestNames('smkoer', names)[0]).toBe('smoker');
    expect(closestNames('aeg', names)).toEqual(['age']);
    expect(closestNames('weight', names)).toEqual([]);
    expect(closestNames('c', ['a', 'b'])).toEqual([]);
  });

  it('are the categories of a one-hot column', () => {
    expect(didYouMean('region', ['age', 'region=north', 'region=south'])).toBe(
      'Did you mean "region=north" or "region=south"?',
    );
  });

  it('are three at most, and none of what is too long to compare', () => {
    expect(closestNames('abc', ['abd', 'bbc', 'acb', 'aba', 'abe'])).toHaveLength(3);
    expect(closestNames('x'.repeat(10_000), ['x'.repeat(10_000)])).toEqual([]);
    expect(didYouMean('q', ['smoker'])).toBeNull();
  });
});
