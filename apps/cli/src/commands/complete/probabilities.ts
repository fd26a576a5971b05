import { DRAWS_FOR_PROBABILITIES, possibleValues, rowsAtATime } from '@orchard/analysis';
import { wordsOf } from '@orchard/dataset';
import { usualParticles } from '@orchard/model';
import { count } from '../../output/figures.js';
import type { Answering, Given } from './answering.js';
import { Trust } from './trust.js';

/**
 * What each missing value may be, and how probable each is, the more probable first: a line for each value that
 * training had, or that was drawn.
 */
export function probabilitiesOf({ filler, options, wantsDocument }: Given): Answering {
  const { model } = filler;
  const draws = DRAWS_FOR_PROBABILITIES;
  const { seed, samples = usualParticles(model) } = options;
  const trust = new Trust(samples);
  let exactRows = 0;
  return {
    rowsAtATime: rowsAtATime(model, draws, true),
    answer: async (rows) => {
      const { cells, logEvidence, completion } = await possibleValues(filler, rows, { seed, samples, draws });
      const shown = (probability: number): string =>
        completion === null ? probability.toPrecision(6) : probability.toFixed(3);
      const lines = cells.flatMap(({ row, index, values }) => {
        const variable = model.table.variables[index]!;
        return values
          .filter(({ probability }) => completion === null || probability > 0)
          .map(({ code, probability }) => [
            ...[String(rows.firstRow + row + 1), variable.name, wordsOf(variable, code)],
            shown(probability),
          ]);
      });
      const columns = ['row', 'column', 'value', 'probability'].map((name, at) => ({
        name,
        texts: lines.map((line) => line[at]!),
      }));
      return () => {
        if (completion === null) exactRows += logEvidence.length;
        else trust.add(completion);
        return { columns, ofRows: wantsDocument && completion === null ? { logEvidence: [...logEvidence] } : {} };
      };
    },
    said: () => {
      if (exactRows > 0) return { how: 'exactly', warning: undefined, document: { exactRows, logEvidence: [] } };
      const { how, ...rest } = trust.said({ draws, seed, samples });
      return { how: `by ${count(draws)} samples: ${how}`, ...rest };
    },
  };
}
