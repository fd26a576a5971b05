import { parseContract } from '@orchard/contracts';
import { isHole, numberOf, type Expectation } from '@orchard/dataset';
import { expectedBit, isBound, isTabular, surprisingCells, type DensityModel, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { givenOfBits, placesOfGiven } from '../../outliers/given-columns.js';
import { asBitRows, asTableRows, labelled, rowsSchema, wholeBitsOf, type RowsDocument } from '../rows.js';
import { encodedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  top: z.int().min(1).default(3),
  /** Columns that are no reasons, since others are predicted given these. */
  given: z.array(z.string()).default([]),
});

/** A column of a row, and how much more surprising its value is than values of it usually are. */
interface Reason extends Expectation {
  readonly row: number;
  readonly column: number;
  readonly probability: number;
  readonly surprise: number;
}

/**
 * The columns that make each row unusual, the most surprising first: the value's probability given the columns before
 * it, and what was expected. Unknown values are no reason.
 */
export const explain: Operation = async (model, question) => {
  const { rows, top, given } = parseContract(questionSchema, question, 'explain question');
  if (given.length > 0 && !isTabular(model)) throw givenOfBits();
  const reasons = isTabular(model)
    ? await reasonsOfTable(model, { rows, given }, top)
    : reasonsOfBits(model, rows, top);
  const textsOf = (part: keyof Expectation): { labels: string[]; places: Int32Array } => {
    const texts = reasons.map((reason) => (typeof reason[part] === 'string' ? reason[part] : null));
    const { labels, places } = labelled(part, texts) as { labels: string[]; places: Int32Array };
    return { labels, places };
  };
  const numbersOf = (part: 'expectedLow' | 'expectedHigh'): Float64Array =>
    Float64Array.from(reasons, (reason) => (typeof reason[part] === 'number' ? reason[part] : NaN));
  return {
    row: Int32Array.from(reasons, ({ row }) => row),
    column: Int32Array.from(reasons, ({ column }) => column),
    probability: Float64Array.from(reasons, ({ probability }) => probability),
    surprise: Float64Array.from(reasons, ({ surprise }) => surprise),
    expected: textsOf('expected'),
    // numbers, and texts of dates and times
    expectedLow: { numbers: numbersOf('expectedLow'), ...textsOf('expectedLow') },
    expectedHigh: { numbers: numbersOf('expectedHigh'), ...textsOf('expectedHigh') },
    expectedLabel: textsOf('expectedLabel'),
  };
};

async function reasonsOfTable(
  model: TabularModel,
  { rows, given }: { readonly rows: RowsDocument; readonly given: readonly string[] },
  top: number,
): Promise<Reason[]> {
  const groups = given.length === 0 ? new Set<number>() : placesOfGiven(given, model);
  const encoded = await encodedRows(model, rows, 'value');
  const scored = { ...encoded, numberAt: numbersOf(model, rows) };
  return surprisingCells(model, scored, top + groups.size).flatMap((cells, row) =>
    cells
      .filter(({ index }) => !groups.has(index))
      .slice(0, top)
      .map(({ index, ...cell }) => ({ row, column: index, ...cell })),
  );
}

/** The number that each cell of an ordered variable is. */
function numbersOf({ table }: TabularModel, rows: RowsDocument): (row: number, index: number) => number {
  const { columns } = asTableRows(rows);
  const columnOf = table.variables.map(({ name }) => columns.find((column) => column.name === name));
  return (row, index) => {
    const [variable, column] = [table.variables[index]!, columnOf[index]];
    if (variable.kind !== 'ordered' || column === undefined) return NaN;
    const cell = 'numbers' in column ? column.numbers[row] : column.labels[column.places[row]!];
    return isHole(cell) ? NaN : numberOf(cell, variable.format);
  };
}

function reasonsOfBits(model: DensityModel, rows: RowsDocument, top: number): Reason[] {
  const matrix = wholeBitsOf(asBitRows(rows), model);
  // a bound has no share for each column
  if (isBound(model)) return [];
  const { dimensions } = model;
  const { surprise, columns, top: named } = model.score(matrix, { top: Math.min(top, dimensions) });
  return Array.from(columns).flatMap((column, at): Reason[] => {
    const row = Math.floor(at / named);
    const nats = surprise[row * dimensions + column]!;
    const probability = Math.exp(-nats);
    const value = matrix.get(row, column);
    // no reason is what is expected
    return probability < 0.5 ? [{ row, column, probability, ...expectedBit(value, probability), surprise: nats }] : [];
  });
}
