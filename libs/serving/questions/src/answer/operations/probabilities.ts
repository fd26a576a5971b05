import { DRAWS_FOR_PROBABILITIES, possibleValues, RowFiller } from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { wordsOf } from '@orchard/dataset';
import { asTabular, PARTICLES_OF_TABLES } from '@orchard/model';
import { z } from 'zod';
import { labelled, rowsSchema } from '../rows.js';
import { codedRows, unseenOf } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  seed: seedSchema.default(0),
  samples: z.int().min(1).max(65_536).default(PARTICLES_OF_TABLES),
  draws: z.int().min(1).max(10_000).default(DRAWS_FOR_PROBABILITIES),
});

/**
 * What each missing value may be, and how likely, the more probable first: exactly where the model can (`exact`), else
 * by completions.
 */
export const probabilities: Operation = async (asked, question) => {
  const { rows, ...how } = parseContract(questionSchema, question, 'probabilities question');
  const model = asTabular(asked);
  const known = await codedRows(model, rows, { missing: 'unknown' });
  const { cells, completion } = await possibleValues(new RowFiller(model, null), { ...known, firstRow: 0 }, how);
  const possible = cells.flatMap(({ row, index, values }) =>
    values
      .filter(({ probability }) => probability > 0)
      .map(({ code, probability }) => {
        const value = wordsOf(model.table.variables[index]!, code);
        return { row, index, value, probability };
      }),
  );
  const { labels, places } = labelled(
    'value',
    possible.map(({ value }) => value),
  ) as { labels: string[]; places: Int32Array };
  return {
    exact: completion === null,
    row: Int32Array.from(possible, ({ row }) => row),
    column: Int32Array.from(possible, ({ index }) => index),
    value: { labels, places },
    probability: Float64Array.from(possible, ({ probability }) => probability),
    unseen: unseenOf(known, model),
    said: known.said,
  };
};
