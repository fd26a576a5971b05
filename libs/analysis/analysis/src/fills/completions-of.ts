import {
  fillBlanks,
  type Completion,
  type RuledRows,
  type TableCompletionOptions,
  type TabularModel,
} from '@orchard/model';
import type { RowsToFill } from './rows-to-fill.js';

/** Rows of which completions are drawn. */
export type RowsToComplete = Pick<RowsToFill, 'firstRow' | 'matrix' | 'known' | 'numberAt'>;

export type CompletionsAsked = Pick<TableCompletionOptions, 'seed' | 'samples' | 'draws' | 'forCells'>;

/** Completions of rows, one a draw: under rules where there are any. A row does not depend on those beside it. */
export function completionsOf(
  model: TabularModel,
  ruled: RuledRows | null,
  rows: RowsToComplete,
  asked: CompletionsAsked,
): readonly Completion[] {
  const { matrix, known, firstRow } = rows;
  const options = { ...asked, firstRow };
  return ruled?.completions(rows, options) ?? fillBlanks(model, matrix, known, options);
}
