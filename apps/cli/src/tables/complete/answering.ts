import type { SecondFile } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import type { CompleteDocument } from '../../documents/complete-document.js';
import type { Point } from '../../fills/fill-options.js';
import type { TextColumn } from '../../output/table-file.js';
import type { TableRowsOptions } from '../load-table-rows.js';
import type { RuleOptions, RulesOfModel } from '../rules.js';
import type { RowsToAnswer } from './rows-to-complete.js';

export interface CompleteTableOptions extends TableRowsOptions, RuleOptions {
  readonly seed: number;
  readonly samples?: number;
  readonly draws?: number;
  readonly probabilities?: true;
  readonly mostProbable?: true;
  readonly point?: Point;
  readonly interval?: number;
  readonly out?: string;
}

/** What a command was given. */
export interface Given {
  readonly model: TabularModel;
  readonly options: CompleteTableOptions;
  /** Of the file. */
  readonly columns: readonly string[];
  /** Of each variable how its cells are read, and values written beside them. */
  readonly readings: SecondFile['readings'];
  /** What holds of every row; null where nothing was said. */
  readonly rules: RulesOfModel | null;
  /** Whether what is said for programs is wanted: it has something of every row. */
  readonly wantsDocument: boolean;
}

/** What is said for programs, as far as it is known of what was asked for. */
type AnswerDocument = Partial<CompleteDocument> & Pick<CompleteDocument, 'exactRows'>;

/** What is said of all rows. */
export interface Said {
  /** How they were filled in, behind what was asked of how many missing values. */
  readonly how: string;
  readonly document: AnswerDocument;
  /** Of rows whose samples are hardly random. */
  readonly warning: string | undefined;
}

/** Answers the rows of a file, some after others. */
export interface Answering {
  /** How many rows may come at a time. */
  readonly rowsAtATime: number;
  /** What is written of some rows: the same columns each time. */
  columnsOf(rows: RowsToAnswer): readonly TextColumn[];
  /** When all rows have come. */
  said(): Said;
}
