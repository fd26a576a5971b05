import { ROWS_OF_MANY } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { withTablePreset } from './presets.js';

const [few, many] = [ROWS_OF_MANY - 1, ROWS_OF_MANY];

test('few rows have members of small trees, many leaves that their columns find', () => {
  expect(withTablePreset({}, few)).toEqual({ leaves: 8, members: 4, start: 'auto' });
  expect(withTablePreset({}, many)).toEqual({ leaves: 'auto', start: 'auto' });
  expect(withTablePreset({ preset: 'accurate' }, few)).toMatchObject({ leaves: 8, members: 8, start: 'auto' });
  expect(withTablePreset({ preset: 'accurate' }, many)).toMatchObject({ leaves: 'auto', members: 4, start: 'auto' });
  expect(withTablePreset({ preset: 'paper' }, few)).toEqual({ preset: 'paper' });
});

test('what words say stays', () => {
  expect(withTablePreset({ start: 'base-rate' }, many)).toEqual({ leaves: 'auto', start: 'base-rate' });
  expect(withTablePreset({ leaves: 16 }, few)).toEqual({ leaves: 16, members: 4, start: 'auto' });
  expect(withTablePreset({ preset: 'accurate', members: 2 }, few)).toMatchObject({ leaves: 8, members: 2 });
});

test('words on members, or on the ordering of one model, are all that default goes by beside its start', () => {
  for (const said of [{ members: 1 }, { ordering: 'random' }, { orderings: ['natural'] }, { folds: 3 }] as const)
    expect(withTablePreset({ ...said } as object, few)).toEqual({ start: 'auto', ...said });
  expect(withTablePreset({ ordering: 'random' }, many)).toEqual({ ordering: 'random', leaves: 'auto', start: 'auto' });
});
