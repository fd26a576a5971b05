import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeBits, codeCount, codeOffsets, holeCode, otherCode, readCodes, valueCount } from './codes.js';
import { anyRows, anyVariable, matrixOf } from './random-variables.suite.js';

test('codes of all rows come back as they were written, whatever stands beside them', () => {
  fc.assert(
    fc.property(anyRows, ({ table, codes }) => {
      const matrix = matrixOf(table, codes);
      const offsets = codeOffsets(table);
      table.variables.forEach((_, index) => {
        const read = readCodes(matrix, offsets[index]!, offsets[index + 1]!);
        expect([...read]).toEqual(codes.map((row) => row[index]));
      });
    }),
  );
});

test('values come first, then "(other)", then absence, where there are such', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      const hasOther = variable.kind === 'categorical' || (variable.kind === 'ordered' && variable.measure === 'mass');
      const values = variable.counts.length;
      expect(valueCount(variable)).toBe(values);
      expect(otherCode(variable)).toBe(hasOther ? values : null);
      expect(holeCode(variable)).toBe(variable.holes === 0 ? null : values + Number(hasOther));
      expect(codeCount(variable)).toBe(values + Number(hasOther) + Number(variable.holes > 0));
    }),
  );
});

test('a code takes as many bits as the greatest needs, and one at least', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      const greatest = codeCount(variable) - 1;
      expect(codeBits(variable)).toBe(greatest.toString(2).length);
    }),
  );
});
