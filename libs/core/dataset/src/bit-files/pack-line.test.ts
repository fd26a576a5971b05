import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packLine } from './pack-line.js';

it('packLine takes digits between delimiters and a line end, and no line that differs in one byte', () => {
  const line = fc.record({
    bits: fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 40 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    at: fc.nat(),
    byte: fc.integer({ min: 0, max: 255 }),
  });
  fc.assert(
    fc.property(line, ({ bits, lineEnd, at, byte }) => {
      const text = bits.join(',') + lineEnd;
      const bytes = Buffer.from(`xx${text}0,1`);
      const packed = new Uint8Array(Math.ceil(bits.length / 8));
      const pack = (): number => packLine(bytes, 2, bits.length, 44, packed, 0);
      expect(pack()).toBe(2 + text.length);
      bits.forEach((bit, dim) => expect((packed[dim >> 3]! >> (7 - (dim & 7))) & 1).toBe(bit));

      const changed = 2 + (at % text.length);
      const before = bytes[changed];
      const isDigit = changed < 1 + 2 * bits.length && changed % 2 === 0;
      fc.pre(byte !== before && !(isDigit && (byte === 48 || byte === 49)) && !(byte === 10 && before === 13));
      bytes[changed] = byte;
      expect(pack()).toBe(-1);
    }),
    { numRuns: 3000 },
  );
});
