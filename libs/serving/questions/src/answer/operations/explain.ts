import { scoredGiven } from '@orchard/analysis';
import { parseContract } from '@orchard/contracts';
import type { Expectation } from '@orchard/dataset';
import { asTabular, isBound, surprisingCells, type TabularModel } from '@orchard/model';
import { z } from 'zod';
import { labelled, rowsSchema } from '../rows.js';
import { wholeRows } from './encoded-rows.js';
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
  const reasons = await reasonsOf(asTabular(model), parseContract(questionSchema, question, 'explain question'));
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

async function reasonsOf(model: TabularModel, { rows, top, given }: z.infer<typeof questionSchema>): Promise<Reason[]> {
  const groups = given.length === 0 ? new Set<number>() : scoredGiven(model, given, 'given');
  const encoded = await wholeRows(model, rows, true);
  // a bound has no share for each column
  if (isBound(model)) return [];
  return surprisingCells(model, encoded, top + groups.size).flatMap((cells, row) =>
    cells
      .filter(({ index }) => !groups.has(index))
      .slice(0, top)
      .map(({ index, ...cell }) => ({ row, column: index, ...cell })),
  );
}
