import { parseContract } from '@orchard/contracts';
import { codeCount, expectedWords } from '@orchard/dataset';
import { isBound, isTabular, type DensityModel, type TabularModel } from '@orchard/model';
import { log } from '@orchard/numerics';
import { z } from 'zod';
import { asBitRows, labelled, rowsSchema, wholeBitsOf, type RowsDocument } from '../rows.js';
import { encodedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({ rows: rowsSchema, top: z.int().min(1).default(3) });

/** Rows that are looked at together: of each all probabilities of a column are held. */
const ROWS_AT_A_TIME = 1024;

/** A column of a row, and how much more surprising its value is than values of it usually are. */
interface Reason {
  readonly row: number;
  readonly column: number;
  readonly probability: number;
  readonly expected: string;
  readonly surprise: number;
}

/**
 * The columns that make each row unusual, the most surprising first: the value's probability given the columns before it, and what was
 * expected. Rows with unknown values have none.
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
  const { matrix, incomplete } = await encodedRows(model, rows, 'value');
  const unknown = new Set(incomplete);
  const whole = Array.from({ length: matrix.rows }, (_, row) => row).filter((row) => !unknown.has(row));
  const reasons: Reason[] = [];
  for (let from = 0; from < whole.length; from += ROWS_AT_A_TIME) {
    const some = whole.slice(from, from + ROWS_AT_A_TIME);
    const part = matrix.selectRows(some);
    const ofRows = some.map((): Reason[] => []);
    model.table.variables.forEach((variable, column) => {
      const all = model.distributionOf(column, part);
      const codes = codeCount(variable);
      some.forEach((row, at) => {
        const shares = all.subarray(at * codes, (at + 1) * codes);
        const probability = shares[model.codeOf(part, at, column)]!;
        const surprise = -log(Math.max(probability, Number.MIN_VALUE)) - entropyOf(shares);
        ofRows[at]!.push({ row, column, probability, expected: expectedWords(variable, shares), surprise });
      });
    });
    for (const own of ofRows) reasons.push(...mostSurprising(own, top));
  }
  return reasons;
}

/** What a value of such a distribution surprises by on average, nats. */
function entropyOf(shares: Float64Array): number {
  let entropy = 0;
  for (const share of shares) if (share > 0) entropy -= share * log(share);
  return entropy;
}

function mostSurprising(reasons: readonly Reason[], top: number): readonly Reason[] {
  return reasons.toSorted((a, b) => b.surprise - a.surprise || a.column - b.column).slice(0, top);
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
