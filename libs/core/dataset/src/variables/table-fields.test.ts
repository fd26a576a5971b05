import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SET_BYTES, type Field } from '../rows/field-rows.js';
import { codeCount, codeOffsets, readCodes } from './codes.js';
import { anyRows, matrixOf } from './random-variables.suite.js';
import { codesInRows, fieldRows, tableFields } from './table-fields.js';
import { predictorMatrix } from './small-tables.suite.js';

/** A predictor of a row, by what its field says. */
function bitOf(fields: readonly Field[], bytes: Uint8Array, start: number, predictor: number): number {
  const index = fields.findIndex((field) => predictor >= field.start && predictor < field.end);
  const { ranges, sets, start: first } = fields[index]!;
  const code = bytes[start + index]!;
  const at = predictor - first;
  if (ranges !== null) return code >= ranges[2 * at]! && code < ranges[2 * at + 1]! ? 1 : 0;
  return (sets![at * SET_BYTES + (code >> 3)]! >> (code & 7)) & 1;
}

function expectSameRows(table: Table, codes: readonly (readonly number[])[], ordering: readonly number[]): void {
  const matrix = matrixOf(table, codes);
  const bits = predictorMatrix(matrix, table, ordering, 1);
  const layout = tableFields(table, ordering);
  const { bytes, dimensions } = fieldRows(matrix, table, ordering, layout);
  expect(dimensions).toBe(bits.dimensions - 1);
  for (const { codes: count } of layout.fields) expect(count).toBeLessThanOrEqual(256);
  const predictors = Array.from({ length: dimensions }, (_, predictor) => predictor);
  codes.forEach((_, row) => {
    const read = predictors.map((predictor) => bitOf(layout.fields, bytes, row * layout.stride, predictor));
    expect(read).toEqual(predictors.map((predictor) => bits.get(row, predictor)));
  });
  const offsets = codeOffsets(table);
  ordering.forEach((index, position) => {
    const expected = readCodes(matrix, offsets[index]!, offsets[index + 1]!);
    expect(codesInRows(layout, position, { rows: codes.length, bytes })).toEqual(expected);
  });
}

const tableOf = (...variables: Variable[]): Table => ({
  variables,
  leftOut: [],
  columns: variables.map(({ name }) => name),
  missing: '',
});

const ordered = (name: string, values: number, cuts: number, atoms = 0): OrderedVariable => ({
  ...{ name, kind: 'ordered', holes: 1, range: [0, values - 1] },
  ...(atoms > 0 ? { measure: 'density', tails: [1, 2] } : { measure: 'mass', tails: null }),
  format: { type: 'number', decimals: 0, places: 0, padded: false },
  values: Array.from({ length: values }, (_, value) => (atoms > 0 ? null : value)),
  edges: Array.from({ length: values - 1 }, (_, value) => value + 0.5),
  counts: new Array<number>(values).fill(1),
  cuts: Array.from({ length: cuts }, (_, cut) => 1 + Math.floor((cut * (values - 1)) / cuts)),
  ...(atoms > 0 && {
    atoms: { values: Array.from({ length: atoms }, (_, atom) => 3 * atom), counts: new Array<number>(atoms).fill(1) },
  }),
});

const labels = (name: string, count: number): Variable => ({
  ...{ name, kind: 'categorical', others: 0, holes: 1, counts: new Array<number>(count).fill(1) },
  labels: Array.from({ length: count }, (_, label) => `l${label}`),
});

describe('the fields of a table', () => {
  test('say every predictor and every code of random tables, in any ordering', () => {
    fc.assert(
      fc.property(anyRows, fc.boolean(), ({ table, codes }, isReversed) => {
        const ordering = table.variables.map((_, index) => index);
        expectSameRows(table, codes, isReversed ? ordering.reverse() : ordering);
      }),
    );
  });

  test('have an atom behind the cell that it lies in', () => {
    const table = tableOf(ordered('atoms', 40, 30, 5), labels('behind', 3));
    const rows = Array.from({ length: 46 }, (_, code) => [code, code % 5]);
    // no value is another than those: measurements have a cell each
    expect(codeCount(table.variables[0]!)).toBe(46);
    expectSameRows(table, rows, [0, 1]);
  });

  test('are several where a variable has more codes than a byte, and its rows keep the code', () => {
    for (const variable of [ordered('wide', 700, 600), ordered('few cuts', 700, 20), labels('many', 600)]) {
      const table = tableOf(labels('before', 3), variable, ordered('behind', 9, 8));
      const rows = Array.from({ length: codeCount(variable) }, (_, code) => [code % 4, code, code % 9]);
      expectSameRows(table, rows, [0, 1, 2]);
      expectSameRows(table, rows, [2, 1, 0]);
    }
  });

  test('are one for neighbouring small variables, whose product of codes a byte can hold', () => {
    const bits = Array.from({ length: 9 }, (_, index) => ordered(`b${index}`, 2, 1));
    // each has 0, 1, others and a missing value: four go into a byte
    expect(tableFields(tableOf(...bits), [0, 1, 2, 3, 4, 5, 6, 7, 8]).fields.length).toBe(3);
    expect(tableFields(tableOf(ordered('a', 200, 100), ordered('b', 200, 100)), [0, 1]).fields.length).toBe(2);
  });
});
