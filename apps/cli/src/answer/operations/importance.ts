import { parseContract } from '@orchard/contracts';
import { isExplained, isTabular } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({});
/** More columns have a matrix that is too large for one answer. */
const MOST_COLUMNS = 8192;

/** Row v of `shares`: what column v is predicted from, in shares of the gain; zeros where from nothing. */
export const importance: Operation = (model, question) => {
  parseContract(questionSchema, question, 'importance question');
  const refuse = (got: string, expected: string, remedy: string): never => {
    throw new Refusal('invalid-argument', { got, expected, where: 'importance', remedy });
  };
  if (!isExplained(model))
    return refuse(
      `a model of the family ${model.family}`,
      'one whose columns are predicted from others in one way',
      'associations() shows what depends on what, whatever the model.',
    );
  const columns = isTabular(model) ? model.variables : model.dimensions;
  if (columns > MOST_COLUMNS)
    return refuse(
      `${String(columns)} columns`,
      `at most ${String(MOST_COLUMNS)}`,
      '`orchard importance` shows them one by one.',
    );
  const shares = new Float64Array(columns * columns);
  for (let column = 0; column < columns; column++) shares.set(model.importanceOf(column), column * columns);
  return { shares };
};
