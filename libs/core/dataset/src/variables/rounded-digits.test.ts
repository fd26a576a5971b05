import { describe, expect, it } from 'vitest';
import { decimalCell, isRounded } from './number-format.js';

describe('a text of a number', () => {
  it.each([
    '12.5',
    '0.1000000000000000055511151231257827', // all digits of a number, as %.34f prints them
    '0.10000000000000001', // %.17g
    '59.699999999999996',
    '-0.30000000000000004',
    '123456789012345.00000000000',
    '900719925474099',
    '1152921504606846976',
    '1e300',
    '100000000000000000000000',
    'x'.repeat(30),
  ])('has no digits that are lost: %s', (text) => {
    expect(isRounded(text)).toBe(false);
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '1152921504606846980',
    '\u22129007199254740993',
    '123456789012345678',
    '999999999999999.99',
    '0.12345678901234567890',
    '1.00000000000000000001e5',
  ])('has digits that are lost: %s', (text) => {
    expect(isRounded(text)).toBe(true);
  });
});

it('a decimal is the number that has all of its digits, or their text', () => {
  expect(decimalCell(35n, 2)).toBe(0.35);
  expect(decimalCell(-5n, 2)).toBe(-0.05);
  expect(decimalCell(0n, 10)).toBe(0);
  expect(decimalCell(1234n, 0)).toBe(1234);
  expect(decimalCell(12n, -3)).toBe(12_000);
  expect(decimalCell(99_999_999_999_999_999n, 2)).toBe('999999999999999.99');
  expect(decimalCell(-1n - 10n ** 18n, 18)).toBe('-1.000000000000000001');
  expect(decimalCell(10n ** 20n, 18)).toBe(100);
  expect(decimalCell(9_007_199_254_740_993n, 0)).toBe('9007199254740993');
});
