import { ROWS_OF_MANY } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { withTablePreset } from './presets.js';

const [few, many] = [ROWS_OF_MANY - 1, ROWS_OF_MANY];

test('members of small trees are mixed, more where rows are few', () => {
  expect(withTablePreset({}, few)).toEqual({ leaves: 8, members: 4, start: 'auto' });
  expect(withTablePreset({}, many)).toEqual({ leaves: 8, members: 3, start: 'auto', shrinkage: 0.2, patience: 8 });
  expect(withTablePreset({ preset: 'accurate' }, few)).toMatchObject({ leaves: 8, members: 8, start: 'auto' });
  expect(withTablePreset({ preset: 'accurate' }, many)).toEqual({
    preset: 'accurate',
    leaves: 'auto',
    members: 4,
    start: 'auto',
  });
  expect(withTablePreset({ preset: 'paper' }, few)).toEqual({ preset: 'paper' });
});

test('what words say stays', () => {
  expect(withTablePreset({ start: 'base-rate' }, many)).toMatchObject({ leaves: 8, members: 3, start: 'base-rate' });
  expect(withTablePreset({ leaves: 16 }, few)).toEqual({ leaves: 16, members: 4, start: 'auto' });
  expect(withTablePreset({ preset: 'accurate', members: 2 }, few)).toMatchObject({ leaves: 8, members: 2 });
});

test('one model of many rows takes smaller steps than members, and is more patient', () => {
  const alone = { shrinkage: 0.1, patience: 40 };
  expect(withTablePreset({ members: 1 }, many)).toEqual({ leaves: 8, members: 1, start: 'auto', ...alone });
  expect(withTablePreset({ ordering: 'hubs' }, many)).toEqual({
    ordering: 'hubs',
    leaves: 8,
    start: 'auto',
    ...alone,
  });
  expect(withTablePreset({ members: 1, shrinkage: 0.3 }, many)).toMatchObject({ shrinkage: 0.3, patience: 40 });
});

test('smaller steps than those of members have the patience of small steps, larger ones their own', () => {
  expect(withTablePreset({ shrinkage: 0.05 }, many)).toMatchObject({ members: 3, shrinkage: 0.05, patience: 40 });
  expect(withTablePreset({ shrinkage: 0.05, patience: 5 }, many)).toMatchObject({ shrinkage: 0.05, patience: 5 });
  expect(withTablePreset({ shrinkage: 0.3 }, many)).toMatchObject({ shrinkage: 0.3, patience: 8 });
  expect(withTablePreset({ shrinkage: 0.05 }, few)).not.toHaveProperty('patience');
});

test('who says orderings says how many models there are', () => {
  expect(withTablePreset({ ordering: 'random' }, few)).toEqual({ ordering: 'random', leaves: 8, start: 'auto' });
  expect(withTablePreset({ members: 1, ordering: 'random' }, many)).toMatchObject({ members: 1, ordering: 'random' });
  expect(withTablePreset({ orderings: ['natural', 'random'] }, many)).toMatchObject({ shrinkage: 0.2, patience: 8 });
  expect(withTablePreset({ orderings: ['natural'] }, few)).toEqual({
    orderings: ['natural'],
    leaves: 8,
    start: 'auto',
  });
});
