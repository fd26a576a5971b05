import type { Variable } from '@orchard/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeCount, holeCode, otherCode } from './codes.js';
import { predictorCount, predictorOffsets } from './predictor-bits.js';
import { anyRows, anyVariable, matrixOf } from './random-variables.suite.js';
import { predictorMatrix } from './small-tables.suite.js';

/** The bits of each code, by the matrix of a table of that variable alone. */
function bitsOf(variable: Variable): string[] {
  const table = { variables: [variable], leftOut: [], columns: [variable.name], missing: '' };
  const codes = Array.from({ length: codeCount(variable) }, (_, code) => [code]);
  const bits = predictorMatrix(matrixOf(table, codes), table, [0], 1);
  return codes.map((_, row) => Array.from({ length: bits.dimensions - 1 }, (__, bit) => bits.get(row, bit)).join(''));
}

test('with absence its own bit is set, the last, and no other; no value sets it', () => {
  fc.assert(
    fc.property(
      anyVariable.filter(({ holes }) => holes > 0),
      (variable) => {
        const bits = bitsOf(variable);
        const hole = holeCode(variable)!;
        expect(bits[hole]).toBe(`${'0'.repeat(predictorCount(variable) - 1)}1`);
        expect(bits.filter((_, code) => code !== hole).every((own) => own.endsWith('0'))).toBe(true);
      },
    ),
  );
});

test('of a label one bit is set, its own; of two labels only the second has one', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      if (variable.kind === 'ordered') return;
      const values = bitsOf(variable).slice(0, holeCode(variable) ?? undefined);
      const behind = variable.holes > 0 ? '0' : '';
      if (variable.kind === 'binary') expect(values).toEqual([`0${behind}`, `1${behind}`]);
      else
        expect(values).toEqual(
          values.map((_, code) => `${'0'.repeat(code)}1${'0'.repeat(values.length - 1 - code)}${behind}`),
        );
    }),
  );
});

test('of an ordered value the bits of all cuts up to it are set, of one that training never had none', () => {
  fc.assert(
    fc.property(anyVariable, (variable) => {
      if (variable.kind !== 'ordered') return;
      const bits = bitsOf(variable);
      bits.forEach((own, code) => {
        if (code === holeCode(variable)) return;
        const below = code === otherCode(variable) ? 0 : variable.cuts.filter((cut) => code >= cut).length;
        expect(own.slice(0, variable.cuts.length)).toBe(
          `${'1'.repeat(below)}${'0'.repeat(variable.cuts.length - below)}`,
        );
      });
    }),
  );
});

test('the bits of a row are those of its variables in the ordering, behind them zeros', () => {
  fc.assert(
    fc.property(
      anyRows.chain(({ table, codes }) =>
        fc
          .shuffledSubarray([...table.variables.keys()], { minLength: table.variables.length })
          .map((ordering) => ({ table, codes, ordering })),
      ),
      fc.integer({ min: 1, max: 70 }),
      ({ table, codes, ordering }, extra) => {
        const bits = predictorMatrix(matrixOf(table, codes), table, ordering, extra);
        const ordered = ordering.map((index) => table.variables[index]!);
        const own = ordered.map(bitsOf);
        expect(bits.dimensions).toBe(predictorOffsets(table, ordering).at(-1)! + extra);
        codes.forEach((row, at) => {
          const read = Array.from({ length: bits.dimensions }, (_, bit) => bits.get(at, bit)).join('');
          expect(read).toBe(
            ordering.map((index, position) => own[position]![row[index]!]).join('') + '0'.repeat(extra),
          );
        });
      },
    ),
  );
});
