import { drawsFor, type FilledCell, fillTable, particlesFor, pointsOfColumns, rowsAtATime } from '@orchard/analysis';
import { isExactOfTable, type TabularModel } from '@orchard/model';
import { cellDocument } from './complete-document.js';
import { count, counted } from '../../output/figures.js';
import { columnsOf, type TextColumn } from '../../output/table-file.js';
import { givenWords } from '../../options/given-words.js';
import type { Answering, Given } from './answering.js';
import { BrokenRows } from './broken-rows.js';
import { cellWordsOf, type CellWords } from './cell-words.js';
import { FilledRows } from './filled-rows.js';
import type { RowsToAnswer } from './rows-to-complete.js';
import { Trust } from './trust.js';

/** Each missing value gets its mean, median or mode; or is listed with that and the interval that holds it. */
export function pointsOf(given: Given): Answering {
  const { filler, options, wantsDocument } = given;
  const { model, rules } = filler;
  const { seed, point = 'median', interval } = options;
  const ofColumns = givenWords(options.points ?? [], '--points').map(
    ([name, values]) => [name, values.join('|')] as const,
  );
  const points = pointsOfColumns(model.table, ofColumns, '--points');
  const draws = drawsFor(interval, options.draws, '--draws');
  const ruled = rules?.ruled ?? null;
  const samples = options.samples ?? particlesFor(model, ruled, draws);
  const nameOf = (index: number): string => model.table.variables[index]!.name;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, 1);
  const broken = new BrokenRows(ruled);
  let [moved, staysMissing] = [0, 0];
  const words = model.table.variables.map((variable, index) => {
    const at = given.places[index]!;
    return cellWordsOf({ at, variable, reading: given.readings[index] ?? null }, given.file);
  });
  return {
    rowsAtATime: rowsAtATime(model, draws, true),
    answer: async (rows) => {
      const asked = { seed, samples, draws, point, points, interval };
      const { cells, completion, ...filled } = await fillTable(filler, rows, asked);
      return () => {
        broken.see(rows);
        moved += filled.moved.length;
        staysMissing += filled.left.length;
        trust.add(completion);
        if (interval === undefined)
          return { columns: filling.columnsOf(rows, [pointTexts(model, rows, cells)]), ofRows: {} };
        const written = cells.map((cell) => writtenAs(cell, words[cell.index]!));
        const ofRows = wantsDocument ? { cells: written.map((cell) => cellDocument(cell, nameOf)) } : {};
        return { columns: filledCellColumns(written, nameOf), ofRows };
      };
    },
    said: () => {
      const asked = {
        point,
        points: Object.fromEntries(ofColumns),
        ...(interval !== undefined && { interval, cells: [] }),
      };
      if (isExactOfTable(model) && rules === null)
        return { how: 'exactly', warning: undefined, document: { ...asked, isExact: true, exactRows: trust.rows } };
      const { how, warning, ...rest } = trust.said({ ...asked, isExact: false, draws, seed, samples });
      const ofRules = rules === null ? '' : underRulesInWords(moved, staysMissing, interval !== undefined);
      return { how: `by ${count(draws)} samples: ${how}${ofRules}`, warning: broken.warning(warning), ...rest };
    },
  };
}

function underRulesInWords(moved: number, staysMissing: number, ofIntervals: boolean): string {
  const stay = staysMissing === 0 ? '' : `; ${counted(staysMissing, 'missing value')} left, as a rule has it`;
  if (ofIntervals) return `; under the rules, each cell by itself${stay}`;
  const near =
    moved === 0 ? '' : `; ${counted(moved, 'row')} whose points break a rule together by the nearest of the samples`;
  return `${near}${stay}`;
}

/** A cell as the file writes its column. */
function writtenAs(cell: FilledCell, { filled }: CellWords): FilledCell {
  const end = (text: string | null): string | null => (text === null ? null : filled(text));
  return { ...cell, value: filled(cell.value), low: end(cell.low), high: end(cell.high) };
}

/** Of each variable the texts of its missing values, by row. */
function pointTexts(model: TabularModel, { firstRow }: RowsToAnswer, cells: readonly FilledCell[]): string[][] {
  const texts: string[][] = model.table.variables.map(() => []);
  for (const { row, index, value } of cells) texts[index]![row - firstRow] = value;
  return texts;
}

/** A line for each missing value: `row,column,value,low,high,probability`; labels have neither low nor high. */
function filledCellColumns(cells: readonly FilledCell[], nameOf: (index: number) => string): TextColumn[] {
  return columnsOf(cells, {
    row: ({ row }) => row + 1,
    column: ({ index }) => nameOf(index),
    value: ({ value }) => value,
    low: ({ low }) => low,
    high: ({ high }) => high,
    probability: ({ probability }) => probability?.toPrecision(6) ?? null,
  });
}
