import { rowsAtATime } from '@orchard/analysis';
import { valuesOf } from '@orchard/dataset';
import { usualParticles } from '@orchard/model';
import type { Answering, Given } from './answering.js';
import { FilledRows } from './filled-rows.js';
import { evidenceOf, Trust } from './trust.js';

/** Each missing value is sampled: one of what it may be, once or several times a row. */
export function samplesOf(given: Given): Answering {
  const { model, options, wantsDocument } = given;
  const { seed, samples = usualParticles(model), draws = 1 } = options;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, draws);
  return {
    rowsAtATime: rowsAtATime(model, draws, false),
    answer: (rows) => {
      const { matrix, known, values, firstRow } = rows;
      const completions = model.completions(matrix, known, { seed, samples, draws, firstRow });
      trust.add(completions[0]!);
      const filled = completions.map((one, draw) =>
        valuesOf(one.matrix, model.table, seed + draw, new Map(), values, firstRow),
      );
      return { columns: filling.columnsOf(rows, filled), ofRows: wantsDocument ? evidenceOf(completions[0]!) : {} };
    },
    said: () => trust.said({ logEvidence: [], logEvidenceError: [], draws, seed, samples }),
  };
}
