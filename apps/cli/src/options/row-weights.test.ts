import { families } from '@orchard/registry';
import { describe, expect, it } from 'vitest';
import { weighedWords } from './row-weights.js';

describe('members, which would train and be validated by repeats of one row,', () => {
  const facts = { id: '0'.repeat(64), rows: 300, dimensions: 3, names: ['a', 'b', 'c'] };
  const datasets = { train: facts, valid: facts, test: null } as never;
  const lbarn = families.named('lbarn');

  it('are refused where they were asked for', () => {
    expect(() => weighedWords(lbarn, { members: 4 }, datasets)).toThrow(
      '--row-weights: got --row-weights and --members, expected one model',
    );
    expect(weighedWords(lbarn, { members: 1 }, datasets)).toEqual({ members: 1 });
  });

  it('are one model where nothing was said', () => {
    expect(weighedWords(lbarn, {}, datasets)).toEqual({});
    const always = { resolve: () => ({ specification: { members: { folds: 8 } } }) } as never;
    expect(weighedWords(always, { leaves: 4 }, datasets)).toEqual({ leaves: 4, members: 1 });
  });
});
