import { parseContract } from '@orchard/contracts';
import { medianValuesOf } from '@orchard/dataset';
import { asTabular, isMostProbable } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { rowsSchema, rowsWriter } from '../rows.js';
import { codedRows, unseenOf } from './encoded-rows.js';
import type { Operation } from './operation.js';

const questionSchema = z.strictObject({ rows: rowsSchema });

/** The most probable values together of what is missing, and log P of the row that they make; of a bin its median. */
export const mostProbable: Operation = async (model, question) => {
  const { rows } = parseContract(questionSchema, question, 'question for the most probable values');
  if (!isMostProbable(model))
    throw new Refusal('invalid-argument', {
      got: `a model of the family ${model.family}`,
      expected: 'one that finds the most probable values together: marginals, chow-liu, or one cutset network',
      where: 'most_probable',
      remedy: 'Train one of these, or fill in by point="mode", which takes each value by itself.',
    });
  const tabular = asTabular(model);
  const encoded = await codedRows(tabular, rows, { missing: 'unknown' });
  const found = model.mostProbable(encoded.matrix, encoded.known);
  const written = rowsWriter(tabular, found.matrix.rows).addCodes(found.matrix, (codes) =>
    medianValuesOf(codes, tabular.table),
  );
  const { said } = encoded;
  return { rows: written.document(), logProbability: found.logLikelihood, unseen: unseenOf(encoded, tabular), said };
};
