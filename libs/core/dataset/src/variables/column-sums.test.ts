import type { ColumnSum, OrderedVariable, Table } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { codeCount, codeOffsets, readCodes } from './codes.js';
import { describeSum, sumCode, sumsInOrdering, totalsBeforeParts } from './column-sums.js';
import { predictorCount, predictorOffsets } from './predictor-bits.js';
import {
  allCodes,
  categorical,
  measured,
  rowsOfCodes,
  tableOfVariables,
  predictorMatrix,
} from './small-tables.suite.js';
import { codesInRows, fieldRows, tableFields } from './table-fields.js';

const variables = [measured('bill', 4, 1, 1), categorical('kind', 2), measured('paid', 3, 0), measured('next', 5, 0)];
const sum: ColumnSum = { total: 'bill', parts: ['paid', 'next'] };
const table: Table = { ...tableOfVariables(variables), sums: [sum] };
const orderings = [
  [0, 1, 2, 3],
  [3, 2, 1, 0],
  [2, 0, 3, 1],
  [1, 3, 0, 2],
];

test('of an ordering two columns tell of the third: the total less a part, or the sum of the parts', () => {
  expect(describeSum(sum)).toBe('bill near paid + next');
  const [paid, bill] = [1, 2.5];
  // cells: bill from 2.5 to 3.75, paid from 0.5 to 1.5
  const [last] = sumsInOrdering(table, [0, 1, 2, 3]).flat();
  expect(last).toMatchObject({ first: 0, second: 2, target: 3 });
  expect(last!.ofFirst[3]! + last!.ofSecond[1]!).toBe((2.5 + 3.75) / 2 - paid);
  expect([...last!.cuts]).toEqual([0.5, 1.5, 2.5, 3.5]);
  expect(sumCode(last!, 3, 1)).toBe(2);
  const [total] = sumsInOrdering(table, [3, 2, 1, 0]).flat();
  // next from 1.5 to 2.5
  expect(total!.ofFirst[2]! + total!.ofSecond[1]!).toBe(2 + paid);
  expect(total!.cuts.at(-1)).toBe(bill);
});

test('an atom counts as itself, and with a missing value no bit is set', () => {
  const [{ ofFirst, ofSecond, cuts } = { ofFirst: [], ofSecond: [], cuts: [] }] = sumsInOrdering(
    table,
    [0, 1, 2, 3],
  ).flat();
  expect(ofFirst[4]).toBe(0);
  expect(ofFirst[5]).toBeNaN();
  expect(sumCode({ first: 0, second: 2, target: 3, ofFirst, ofSecond, cuts } as never, 5, 2)).toBe(0);
});

test.each(orderings)('bits and fields say the same of every row, in the ordering %i %i %i %i', (...ordering) => {
  const codes = allCodes(variables);
  const matrix = rowsOfCodes({ table }, codes);
  const bits = predictorMatrix(matrix, table, ordering, 0);
  const offsets = predictorOffsets(table, ordering);
  expect(offsets.at(-1)).toBe(bits.dimensions);
  const layout = tableFields(table, ordering);
  expect(layout.predictors).toBe(bits.dimensions);
  const { bytes } = fieldRows(matrix, table, ordering, layout);
  layout.fields.forEach(({ start, end, ranges, sets }, at) => {
    for (let row = 0; row < codes.length; row++) {
      const code = bytes[row * layout.stride + at]!;
      for (let bit = start; bit < end; bit++) {
        const place = bit - start;
        const isOne =
          ranges === null
            ? (sets![32 * place + (code >> 3)]! >> (code & 7)) & 1
            : Number(code >= ranges[2 * place]! && code < ranges[2 * place + 1]!);
        expect(bits.get(row, bit)).toBe(isOne);
      }
    }
  });
  const codesOf = codeOffsets(table);
  ordering.forEach((index, position) => {
    const expected = readCodes(matrix, codesOf[index]!, codesOf[index + 1]!);
    expect(codesInRows(layout, position, { rows: codes.length, bytes })).toEqual(expected);
  });
});

test('of a column with fewer cuts than cells the bits tell the sum: codes that are alike to others stay so', () => {
  const coarse = { ...(variables[0] as OrderedVariable), cuts: [2] };
  const of: Table = { ...table, variables: [coarse, ...variables.slice(1)] };
  const [first] = sumsInOrdering(of, [0, 1, 2, 3]).flat();
  expect(predictorCount(coarse)).toBe(3);
  expect(codeCount(coarse)).toBe(6);
  expect(first!.ofFirst[0]).toBe(first!.ofFirst[1]);
  expect(first!.ofFirst[2]).toBe(first!.ofFirst[3]);
});

test('a total comes before its parts, and the part of less spread before the other', () => {
  const natural = [0, 1, 2, 3];
  expect(totalsBeforeParts(table, natural)).toEqual(natural);
  expect(totalsBeforeParts(table, [3, 2, 1, 0])).toEqual([1, 0, 2, 3]);
  expect(totalsBeforeParts(table, [2, 0, 3, 1])).toEqual([0, 2, 3, 1]);
  expect(totalsBeforeParts(tableOfVariables(variables), [3, 2, 1, 0])).toEqual([3, 2, 1, 0]);
  const round = { ...table, sums: [sum, { total: 'next', parts: ['bill', 'paid'] }] as const };
  expect(totalsBeforeParts(round, [3, 2, 1, 0])).toEqual([1, 0, 2, 3]);
});
