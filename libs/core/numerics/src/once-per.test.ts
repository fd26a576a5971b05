import { expect, test } from 'vitest';
import { oncePer } from './index.js';

test('it is computed once for each object, and never for one that only looks the same', () => {
  let times = 0;
  const doubled = oncePer(({ value }: { readonly value: number }) => {
    times++;
    return { value: 2 * value };
  });
  const key = { value: 3 };
  expect([doubled(key), doubled(key), doubled({ value: 3 })]).toEqual([{ value: 6 }, { value: 6 }, { value: 6 }]);
  expect(doubled(key)).toBe(doubled(key));
  expect(times).toBe(2);
});
