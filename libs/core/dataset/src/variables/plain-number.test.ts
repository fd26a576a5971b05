import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { decimalsOfText, numberFromText } from './number-format.js';
import { plainNumber } from './plain-number.js';

test('a plain number is to the last bit what its text is', () => {
  const stream = new RandomStream(3, 1009);
  for (let round = 0; round < 20_000; round++) {
    const digits = Array.from({ length: 1 + stream.below(20) }, () => stream.below(10)).join('');
    const point = stream.below(digits.length + 1);
    const text = `${stream.below(2) === 0 ? '-' : ''}${digits.slice(0, point)}${point < digits.length && stream.below(2) === 0 ? '.' : ''}${digits.slice(point)}`;
    const plain = plainNumber(text);
    if (!Number.isNaN(plain)) expect([text, plain]).toEqual([text, Number(text)]);
    // what is refused as plain is still told by the expression
    expect([text, numberFromText(text)]).toEqual([text, /^-?0\d/.test(text) ? NaN : Number(text)]);
  }
});

test.each(['', '-', '.', '-.', '1.', '.5', '007', '-00.5', '1e5', '1.2.3', '+1', '1,5', ' 1', '١', '0x10', 'Infinity'])(
  '%j is not plain',
  (text) => {
    expect(plainNumber(text)).toBeNaN();
  },
);

test.each([
  ['0', 0, 0],
  ['-0', -0, 0],
  ['0.10', 0.1, 2],
  ['123456789012345678', 123456789012345680, 0],
  ['0.3333333333333333', 1 / 3, 16],
  ['0.30000000000000004', 0.3, 1],
  ['1.', 1, 1],
  ['1.5e-3', 0.0015, 4],
] as const)('%s is %d with %d decimals', (text, value, decimals) => {
  expect(numberFromText(text)).toBe(value);
  expect(decimalsOfText(text)).toBe(decimals);
});
