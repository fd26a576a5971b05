import { parseContract } from '@orchard/contracts';
import { isBound, isTabular, surprisingCells, type DensityModel, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { asBitRows, labelled, rowsSchema, wholeBitsOf, type RowsDocument } from '../rows.js';
import { encodedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({ rows: rowsSchema, top: z.int().min(1).default(3) });

/** A column of a row, and how much more surprising its value is than values of it usually are. */
interface Reason {
  readonly row: number;
  readonly column: number;
  readonly probability: number;
  readonly expected: string;
  readonly surprise: number;
}

/**
 * The columns that make each row unusual, the most surprising first: the value's probability given the columns before
 * it, and what was expected. Unknown values are no reason.
 */
export const explain: Operation = async (model, question) => {
  const { rows, top } = parseContract(questionSchema, question, 'explain question');
  const reasons = isTabular(model) ? await reasonsOfTable(model, rows, top) : reasonsOfBits(model, rows, top);
  const { labels, places } = labelled(
    'expected',
    reasons.map(({ expected }) => expected),
  ) as { labels: string[]; places: Int32Array };
  return {
    row: Int32Array.from(reasons, ({ row }) => row),
    column: Int32Array.from(reasons, ({ column }) => column),
    probability: Float64Array.from(reasons, ({ probability }) => probability),
    surprise: Float64Array.from(reasons, ({ surprise }) => surprise),
    expected: { labels, places },
  };
};

async function reasonsOfTable(model: TabularModel, rows: RowsDocument, top: number): Promise<Reason[]> {
  const encoded = await encodedRows(model, rows, 'value');
  return surprisingCells(model, encoded, top).flatMap((cells, row) =>
    cells.map(({ index, ...cell }) => ({ row, column: index, ...cell })),
  );
}

function reasonsOfBits(model: DensityModel, rows: RowsDocument, top: number): Reason[] {
  const matrix = wholeBitsOf(asBitRows(rows), model);
  // a bound has no share for each column
  if (isBound(model)) return [];
  const { dimensions } = model;
  const { surprise, columns, top: named } = model.score(matrix, { top: Math.min(top, dimensions) });
  return Array.from(columns, (column, at) => {
    const row = Math.floor(at / named);
    const nats = surprise[row * dimensions + column]!;
    const probability = Math.exp(-nats);
    const value = matrix.get(row, column);
    return { row, column, probability, expected: String(probability < 0.5 ? 1 - value : value), surprise: nats };
  });
}
