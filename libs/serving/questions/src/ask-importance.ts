import { columnsIn, evenlySpaced } from '@orchard/dataset';
import { isExplained, judgePredictors, type DensityModel, type JudgedPredictors } from '@orchard/model';
import { z } from 'zod';
import { QuestionError } from './errors.js';
import type { HeldOut } from './held-out.js';
import { mostRows } from './work.js';

/** As many pixels as an image of 64 x 64 has. */
const MOST_SHARES = 4096;
/** The strongest predictors are tested against noise, so many as a page shows. */
const MOST_TESTED = 12;
/** Held-out rows that test them. `orchard importance` takes all that time allows; an answer is waited for. */
const MOST_ROWS = 1000;
/** Fewer decide too little. */
const FEWEST_ROWS = 100;
/** How often the model is asked about all rows for each predictor that is tested, about. */
const TIMES_ASKED = 9;

export const importanceAnswerSchema = z.strictObject({
  column: z.int().min(0),
  name: z.string().nullable(),
  columns: z.int().min(1).meta({ description: 'how many there are' }),
  shares: z
    .array(
      z.strictObject({
        column: z.int().min(0),
        name: z.string().nullable(),
        share: z.number().min(0),
        beyondNoise: z
          .boolean()
          .nullable()
          .meta({ description: 'whether it helps on held-out rows more than noise would; null where not tested' }),
      }),
    )
    .meta({ description: 'of what the model knows of the column, the largest first; at most 4096, none that is 0' }),
  judgedBy: z
    .strictObject({
      split: z.enum(['test', 'validation']),
      rows: z.int().min(1).meta({ description: 'that decided, evenly spaced among all: at most 1000' }),
      ofRows: z.int().min(1).meta({ description: 'held-out rows that the run has' }),
      tested: z.int().min(0).meta({ description: 'the strongest shares: at most 12' }),
    })
    .nullable()
    .meta({ description: 'rows that trained nothing; null where the run has none stored, or the model is too slow' }),
});

export type ImportanceAnswer = z.infer<typeof importanceAnswerSchema>;

/**
 * What a column is predicted from, the strongest predictors tested against noise.
 *
 * @param heldOut null where there are none
 * @throws QuestionError `over-limit` for a column or a model that has no answer
 */
export async function askImportance(
  model: DensityModel,
  { column }: { readonly column: number },
  heldOut: HeldOut | null,
): Promise<ImportanceAnswer> {
  if (!isExplained(model))
    throw new QuestionError('over-limit', {
      got: `a model of the family ${model.family}`,
      expected: 'one whose columns are predicted from others',
      remedy: 'Ask a run of another kind of model.',
    });
  const { names, count: columns } = columnsIn(model);
  if (!Number.isInteger(column) || column < 0 || column >= columns)
    throw new QuestionError('over-limit', {
      got: `column ${String(column)}`,
      expected: `one of 0 to ${String(columns - 1)}`,
      where: 'query, "column"',
      remedy: 'Correct the number.',
    });
  const shares = Array.from(model.importanceOf(column), (share, at) => ({ column: at, share }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_SHARES);
  const tested = shares.slice(0, MOST_TESTED).map((share) => ({ column, predictor: share.column }));
  const judged = heldOut === null || tested.length === 0 ? null : await judgedBy(model, heldOut, tested);
  return {
    column,
    name: names?.[column] ?? null,
    columns,
    shares: shares.map(({ column: at, share }, place) => ({
      column: at,
      name: names?.[at] ?? null,
      share,
      beyondNoise: judged === null || place >= tested.length ? null : judged.beyondNoise[place] === 1,
    })),
    judgedBy:
      judged === null
        ? null
        : { split: heldOut!.split, rows: judged.rows, ofRows: heldOut!.rows.rows, tested: tested.length },
  };
}

/** Null where the model is so slow that only few rows could be asked about. */
async function judgedBy(
  model: DensityModel,
  { rows, chosenOf }: HeldOut,
  tested: readonly { readonly column: number; readonly predictor: number }[],
): Promise<JudgedPredictors | null> {
  const most = Math.min(MOST_ROWS, Math.floor(mostRows(model) / (TIMES_ASKED * tested.length)));
  if (most < FEWEST_ROWS && most < rows.rows) return null;
  return judgePredictors(model, evenlySpaced(rows, most), tested, { chosenOf });
}
