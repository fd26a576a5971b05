import { PARTICLES_UNDER_RULES } from '@orchard/model';
import { rowsAtATime } from '../../fills/rows-at-a-time.js';
import { count, counted } from '../../output/figures.js';
import type { RulesOfModel } from '../rules.js';
import type { Answering, Given } from './answering.js';
import { FilledRows } from './filled-rows.js';
import { Trust } from './trust.js';

/** Rows that are named. */
const MOST_NAMED = 10;

/** Each missing value is sampled so that its row follows the rules. */
export function ruledSamplesOf(given: Given, { ruled }: RulesOfModel): Answering {
  const { model, options } = given;
  const { seed, samples = PARTICLES_UNDER_RULES, draws = 1 } = options;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, draws);
  const broken: number[] = [];
  return {
    rowsAtATime: rowsAtATime(model, draws, false),
    answer: (rows) => {
      const { values, firstRow, missing } = rows;
      for (const row of new Set(missing.map((cell) => cell.row)))
        if (!ruled.isPossible(rows, row)) broken.push(firstRow + row + 1);
      const completions = ruled.completions(rows, { seed, samples, draws, firstRow });
      trust.add(completions[0]!);
      const known = { values, numberAt: (row: number, index: number) => rows.numberAt(row, index) };
      const filled = completions.map(({ matrix }, draw) => ruled.wordsOf(matrix, seed + draw, firstRow, known));
      return { columns: filling.columnsOf(rows, filled), ofRows: {} };
    },
    said: () => {
      const said = trust.said({ draws, seed, samples });
      if (broken.length === 0) return said;
      const more = broken.length > MOST_NAMED ? ` and ${count(broken.length - MOST_NAMED)} more` : '';
      const named = `${counted(broken.length, 'row')} ${broken.length === 1 ? 'breaks' : 'break'} a rule by what is known and ${broken.length === 1 ? 'was' : 'were'} filled in without rules: ${broken.slice(0, MOST_NAMED).map(count).join(', ')}${more}`;
      return { ...said, warning: said.warning === undefined ? named : `${named}; ${said.warning}` };
    },
  };
}
