import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactSum, SumGrid } from './exact-sum.js';

/** A double as a whole number of 2^-1074. */
function exactly(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return word >> 63n ? -magnitude : magnitude;
}

const magnitudes = fc.tuple(fc.integer({ min: -10, max: 20 }), fc.double({ min: -1, max: 1, noNaN: true }));
const values = fc.array(
  magnitudes.map(([exponent, mantissa]) => {
    const value = mantissa * 2 ** exponent;
    return Math.abs(value) < 2 ** -14 ? 0 : value;
  }),
  { minLength: 1, maxLength: 40 },
);

test('sums of values within 2^-38 of the bound lose nothing: they compare as whole numbers do', () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const bound = [...a, ...b].reduce((total, value) => total + Math.abs(value), 0);
      const grid = new SumGrid(bound, a.length + b.length);
      const [left, right] = [new ExactSum(grid), new ExactSum(grid)];
      for (const value of a) left.add(value);
      for (const value of b) right.add(value);
      const difference = a.reduce((s, v) => s + exactly(v), 0n) - b.reduce((s, v) => s + exactly(v), 0n);
      expect(Math.sign(left.compare(right))).toBe(difference > 0n ? 1 : difference < 0n ? -1 : 0);
    }),
    { numRuns: 500 },
  );
});

test('a value that was added and taken away leaves no trace, however small the others are', () => {
  fc.assert(
    fc.property(values, fc.double({ min: -1e6, max: 0, noNaN: true }), (parts, passing) => {
      const grid = new SumGrid(
        parts.reduce((total, value) => total + Math.abs(value), 1e6),
        parts.length + 1,
      );
      const [kept, moved] = [new ExactSum(grid), new ExactSum(grid)];
      moved.add(passing);
      for (const value of parts) kept.add(value);
      for (const value of parts.toReversed()) moved.add(value);
      moved.subtract(passing);
      expect(moved.compare(kept)).toBe(0);
      expect(Object.is(moved.value + 0, kept.value + 0)).toBe(true);
    }),
  );
});
