import type { CategoricalVariable, OrderedVariable, Variable } from '@orchard/contracts';
import { BitMatrix, codeOffsets, writeCode } from '@orchard/dataset';
import { categorical, ordered, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { chowLiuOfCodes, ChowLiuTable } from '@orchard/forests';
import { anomalyScores, rowSurprises, unusualCells, type ScoredRows } from '@orchard/model';
import { describe, expect, test } from 'vitest';

const ROWS = 90;
/** A label of three and a count that follows it. */
const counts = [30, 30, 30];
const variables: readonly Variable[] = [
  { ...(categorical('kind', 3) as CategoricalVariable), counts },
  { ...(ordered('count', 3, 'mass') as OrderedVariable), counts },
];
const table = tableOfVariables(variables);
const columns = variables.map(() => Uint16Array.from({ length: ROWS }, (_, row) => row % 3));
const none = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
const model = new ChowLiuTable({
  ...none,
  table,
  ...chowLiuOfCodes(table, columns, columns, { added: 0.01 }),
});

/** Rows of codes; null is a missing value, which no training row had. */
function rowsOf(codes: readonly (readonly (number | null)[])[], misfits: readonly number[] = []): ScoredRows {
  const offsets = codeOffsets(table);
  const matrix = model.emptyRows(codes.length);
  const known = BitMatrix.create(codes.length, model.dimensions);
  codes.forEach((own, row) =>
    own.forEach((code, index) => {
      if (code === null) return;
      writeCode(matrix, row, offsets[index]!, offsets[index + 1]!, code);
      for (let bit = offsets[index]!; bit < offsets[index + 1]!; bit++) known.set(row, bit, 1);
    }),
  );
  return { matrix, known, logDensity: new Float64Array(codes.length * 2), misfits: new Set(misfits) };
}
const first = { top: 1, missing: 'value' } as const;

describe('a row of a table', () => {
  test('whose cells do not go together scores higher than one whose cells do, and each cell is a reason', () => {
    const rows = rowsOf([
      [0, 0],
      [0, 2],
    ]);
    const [usual, unusual] = anomalyScores(model, rowSurprises(model, rows, 'value'));
    expect(unusual! - usual!).toBeGreaterThan(3);
    expect(
      unusualCells(model, rows, 1, { top: 2, missing: 'value' })
        .map(({ index }) => index)
        .sort(),
    ).toEqual([0, 1]);
    expect(unusualCells(model, rows, 0, { top: 2, missing: 'value' })).toEqual([]);
  });

  test('with a missing value where training had none is as unusual as the first of so many rows, and that is the reason', () => {
    const rows = rowsOf([[0, null]]);
    expect(rowSurprises(model, rows, 'value')[1]).toBeCloseTo(Math.log(ROWS + 1), 12);
    const [reason] = unusualCells(model, rows, 0, first);
    expect(reason).toMatchObject({ index: 1, expected: '0' });
    expect(reason!.probability).toBeCloseTo(1 / (ROWS + 1), 12);
  });

  test('with an unknown value is judged by the others: nothing of it is unusual', () => {
    const rows = rowsOf([[0, null]]);
    const surprises = rowSurprises(model, rows, 'unknown');
    expect(surprises[0]).toBeCloseTo(Math.log(3), 1);
    expect(surprises[1]).toBeNaN();
    expect(unusualCells(model, rows, 0, { top: 2, missing: 'unknown' })).toEqual([]);
  });

  test('scores the same wherever it stands, its unknown values being filled alike', () => {
    const alone = rowSurprises(model, rowsOf([[1, null]]), 'value');
    const beside = rowSurprises(
      model,
      rowsOf([
        [0, 0],
        [2, null],
        [1, null],
      ]),
      'value',
    );
    expect(beside.subarray(4)).toEqual(alone);
  });

  test('with a cell that is no value of its column is unusual by that cell', () => {
    const rows = rowsOf([[0, 0]], [1]);
    expect(rowSurprises(model, rows, 'value')[1]).toBeCloseTo(Math.log(ROWS + 1), 12);
    expect(unusualCells(model, rows, 0, first)).toMatchObject([{ index: 1 }]);
  });
});
