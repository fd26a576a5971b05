import { parseContract } from '@orchard/contracts';
import { asTabular, isExplained, judgePredictors, type DensityModel } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { rowsSchema } from '../rows.js';
import { wholeRows } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({
  /** Rows that the model was not trained on, to test shares against noise by. */
  rows: rowsSchema.optional(),
});
/** More columns have a matrix that is too large for one answer. */
const MOST_COLUMNS = 8192;

/**
 * Row v of `shares`: what column v is predicted from, in shares of the gain; zeros where from nothing. `noise` has a 1
 * for each share whose predictor helps on `rows` no better than noise, and is empty where that was not tested.
 */
export const importance: Operation = async (model, question) => {
  const { rows } = parseContract(questionSchema, question, 'importance question');
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
  return { shares, noise: rows === undefined ? new Uint8Array(0) : await noiseAmong(shares, columns, model, rows) };
};

async function noiseAmong(
  shares: Float64Array,
  columns: number,
  model: DensityModel,
  rows: z.infer<typeof rowsSchema>,
): Promise<Uint8Array> {
  const { matrix } = await wholeRows(asTabular(model), rows);
  const places = Array.from(shares.keys()).filter((place) => shares[place]! > 0);
  const pairs = places.map((place) => ({ column: Math.floor(place / columns), predictor: place % columns }));
  const judged = judgePredictors(model, matrix, pairs);
  if (judged === null) return new Uint8Array(0);
  const noise = new Uint8Array(shares.length);
  places.forEach((place, pair) => {
    noise[place] = judged.beyondNoise[pair] === 1 ? 0 : 1;
  });
  return noise;
}
