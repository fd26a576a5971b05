import { rowsAtATime } from '@orchard/analysis';
import { medianValuesOf } from '@orchard/dataset';
import { isMostProbable } from '@orchard/model';
import type { Answering, Given } from './answering.js';
import { FilledRows } from './filled-rows.js';

/** The missing values of a row are filled in by those that are most probable together. */
export function mostProbableOf(given: Given): Answering {
  const { model } = given.filler;
  const { wantsDocument } = given;
  if (!isMostProbable(model)) throw new Error('mostProbableOf: of a model that cannot');
  const filling = new FilledRows(given, 1);
  let all = 0;
  return {
    rowsAtATime: rowsAtATime(model, 1, false),
    answer: (rows) => {
      const { matrix: filled, logLikelihood } = model.mostProbable(rows.matrix, rows.known);
      all += logLikelihood.length;
      const logProbability = [...logLikelihood];
      const columns = filling.columnsOf(rows, [medianValuesOf(filled, model.table)]);
      const ofRows = { logProbability, logLikelihood: logProbability, logProbabilityOfCodes: logProbability };
      return Promise.resolve(() => ({ columns, ofRows: wantsDocument ? ofRows : {} }));
    },
    said: () => ({
      how: model.table.variables.some(({ kind }) => kind === 'ordered') ? 'exactly, of a bin its median' : 'exactly',
      warning: undefined,
      document: { exactRows: all, logProbability: [], logLikelihood: [], logProbabilityOfCodes: [] },
    }),
  };
}
