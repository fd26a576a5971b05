import { RowScorer } from '@orchard/analysis';
import { parseContract } from '@orchard/contracts';
import { asTabular, isExplained, judgePredictors } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { rowsSchema } from '../rows.js';
import { wholeRows } from './encoded-rows.js';
import { threadsFor, threadsSchema, type Operation, type Work } from './operation.js';

const questionSchema = z.strictObject({
  /** Rows that the model was not trained on, to test shares against noise by. */
  rows: rowsSchema.optional(),
  /** Threads that test. @default all cores */
  threads: threadsSchema,
});
/** More columns have a matrix that is too large for one answer. */
const MOST_COLUMNS = 8192;

/**
 * Row v of `shares`: what column v is predicted from, in shares of the gain; zeros where from nothing. `noise` has a 1
 * for each share whose predictor helps on `rows` no better than noise, and is empty where that was not tested.
 */
export const importance: Operation = async (model, question, work) => {
  const { rows, threads } = parseContract(questionSchema, question, 'importance question');
  const refuse = (got: string, expected: string, remedy: string): never => {
    throw new Refusal('invalid-argument', { got, expected, where: 'importance', remedy });
  };
  if (!isExplained(model))
    return refuse(
      `a model of the family ${model.family}`,
      'one whose columns are predicted from others in one way',
      'associations() shows what depends on what, whatever the model.',
    );
  const columns = asTabular(model).variables;
  if (columns > MOST_COLUMNS)
    return refuse(
      `${String(columns)} columns`,
      `at most ${String(MOST_COLUMNS)}`,
      '`orchard importance` shows them one by one.',
    );
  const shares = new Float64Array(columns * columns);
  for (let column = 0; column < columns; column++) shares.set(model.importanceOf(column), column * columns);
  if (rows === undefined) return { shares, noise: new Uint8Array(0) };
  const scorer = new RowScorer(asTabular(model), threadsFor(work, threads));
  try {
    return { shares, noise: await noiseAmong(shares, columns, scorer, { rows, work }) };
  } finally {
    await scorer.close();
  }
};

async function noiseAmong(
  shares: Float64Array,
  columns: number,
  { model, cells }: RowScorer,
  { rows, work }: { readonly rows: z.infer<typeof rowsSchema>; readonly work: Work | undefined },
): Promise<Uint8Array> {
  const { matrix } = await wholeRows(model, rows);
  const places = Array.from(shares.keys()).filter((place) => shares[place]! > 0);
  const pairs = places.map((place) => ({ column: Math.floor(place / columns), predictor: place % columns }));
  const stage = { stage: 'importance', state: 'testing predictors', logLikelihood: null };
  const onProgress = (share: number): void =>
    work?.onProgress({ ...stage, tasks: { done: Math.floor(100 * share), total: 100, called: 'percent' } });
  const judged = await judgePredictors(model, matrix, pairs, { cells, onProgress });
  if (judged === null) return new Uint8Array(0);
  const noise = new Uint8Array(shares.length);
  places.forEach((place, pair) => {
    noise[place] = judged.beyondNoise[pair] === 1 ? 0 : 1;
  });
  return noise;
}
