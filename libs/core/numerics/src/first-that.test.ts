import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstThat, largestThat } from './index.js';

test('the first place of which it holds is found, or the count where there is none', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(250), (count, first) => {
      expect(firstThat(count, (place) => place >= first)).toBe(Math.min(count, first));
    }),
  );
});

test('the largest number of which it holds is found, or 0 where there is none', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(250), (most, last) => {
      expect(largestThat(most, (number) => number <= last)).toBe(Math.min(most, last));
    }),
  );
});
