import { expect, test } from 'vitest';
import { experimental } from './experimental.js';
import { families } from './index.js';

test('an experimental kind of model can be trained and read, stands after the others, and is never the usual one', () => {
  const marks = families.all.map((family) => families.isExperimental(family));
  expect(marks).toEqual([...marks].sort());
  expect(families.all.filter((_, at) => marks[at])).toEqual(experimental);
  for (const kind of ['bits', 'table'] as const)
    expect(families.isExperimental(families.usualFor(kind), kind)).toBe(false);
  const sparn = families.named('sparn');
  expect([families.isExperimental(sparn), families.isExperimental(sparn, 'table')]).toEqual([false, true]);
});
