import type { RowFiller } from '@orchard/analysis';
import type { SecondFile, TypeInFile, WrittenText } from '@orchard/dataset';
import type { CompleteTableOptions } from './complete.js';
import type { CompleteDocument } from './complete-document.js';
import type { TextColumn } from '../../output/table-file.js';
import type { RowsToAnswer } from './rows-to-complete.js';

/** The file whose missing values are filled in. */
export interface FileToFill {
  /** Whether its columns have types. */
  readonly areTyped: boolean;
  /** Whether what is written is made of words. */
  readonly isText: boolean;
  /** Of each column its type, where the file says it; null where it does not. */
  readonly types: readonly TypeInFile[] | null;
  /** Columns, by number, whose cells are not single values: they are not written. */
  readonly unreadable: ReadonlySet<number>;
  /** Columns, by number, with texts beside numbers or truth values: they are written as texts. */
  readonly mixed: readonly number[];
  /** How its text is written, where it is written back so; null of any other. */
  readonly written: WrittenText | null;
}

/** What a command was given. */
export interface Given {
  /** By what rows are filled in: the model, and what holds of every row. */
  readonly filler: RowFiller;
  readonly options: CompleteTableOptions;
  /** Of the file. */
  readonly columns: readonly string[];
  /** Of each variable the number of its column in the file. */
  readonly places: readonly number[];
  /** Of each variable how its cells are read, and values written beside them. */
  readonly readings: SecondFile['readings'];
  /** What is read. */
  readonly file: FileToFill;
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

/** A list of the document that has a number of each row. */
type Figure = 'logEvidence' | 'logEvidenceError' | 'logProbability' | 'logLikelihood' | 'logProbabilityOfCodes';

/** The answer to some rows. */
export interface Answered {
  /** What is written of them: the same columns each time. */
  readonly columns: readonly TextColumn[];
  /** For programs, what is said of each of them: as much of these lists of the document. */
  readonly ofRows: {
    readonly [List in 'cells' | Figure]?: NonNullable<CompleteDocument[List]>;
  };
}

/** Answers the rows of a file, some after others. */
export interface Answering {
  /** How many rows may come at a time. */
  readonly rowsAtATime: number;
  /** Works on rows while others are worked on. @returns takes the answer: to be called in the order of the rows */
  answer(rows: RowsToAnswer): Promise<() => Answered>;
  /** When all rows have come. Lists that have something of each row are empty. */
  said(): Said;
}
