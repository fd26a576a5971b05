import type { RulesOfModel } from '@orchard/analysis';
import { rowsAtATime } from '@orchard/analysis';
import { PARTICLES_UNDER_RULES } from '@orchard/model';
import type { Answering, Given } from './answering.js';
import { BrokenRows } from './broken-rows.js';
import { FilledRows } from './filled-rows.js';
import { Trust } from './trust.js';

/** Each missing value is sampled so that its row follows the rules. */
export function ruledSamplesOf(given: Given, { ruled }: RulesOfModel): Answering {
  const { model, options } = given;
  const { seed, samples = PARTICLES_UNDER_RULES, draws = 1 } = options;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, draws);
  const broken = new BrokenRows();
  return {
    rowsAtATime: rowsAtATime(model, draws, false),
    answer: (rows) => {
      const { values, firstRow } = rows;
      broken.see(rows, ruled);
      const completions = ruled.completions(rows, { seed, samples, draws, firstRow });
      trust.add(completions[0]!);
      const known = { values, numberAt: (row: number, index: number) => rows.numberAt(row, index) };
      const filled = completions.map(({ matrix }, draw) => ruled.wordsOf(matrix, seed + draw, firstRow, known));
      return { columns: filling.columnsOf(rows, filled), ofRows: {} };
    },
    said: () => {
      const said = trust.said({ draws, seed, samples });
      return { ...said, warning: broken.warning(said.warning) };
    },
  };
}
