import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNumber, parseNumber } from './number-text.js';

const parse = (text: string): number => {
  const bytes = new TextEncoder().encode(`,${text},`);
  return parseNumber(bytes, 1, bytes.length - 1);
};

describe('parseNumber', () => {
  it('rounds every decimal as JavaScript does', () => {
    const digits = fc.stringMatching(/^\d{0,20}$/);
    const decimal = fc.tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.'), digits);
    const exponent = fc.constantFrom('', '', '', 'e5', 'E-7', 'e+300');
    fc.assert(
      fc.property(decimal, exponent, ([sign, whole, point, fraction], power) => {
        const text = sign + whole + point + fraction + power;
        expect(parse(text)).toBe(isNumber(text) ? Number(text) : NaN);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(parse(String(x))).toBe(Number(String(x)));
      }),
    );
  });

  it('takes nothing else for a number', () => {
    for (const text of [
      '',
      '-',
      '.',
      '+.',
      '1.2.3',
      '1e',
      'e1',
      '0x1',
      ' 1',
      '1 ',
      '--1',
      '1-',
      'Infinity',
      '1_0',
      '٣',
    ])
      expect(parse(text), text).toBeNaN();
  });
});
