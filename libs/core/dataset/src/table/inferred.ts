import type { OrderedFormat } from '@orchard/contracts';
import type { OptionWord } from '../reading/option-words.js';
import type { TableOptionName } from '../table-files/table-options.js';
import type { DayOrder } from './written-forms.js';

/** What a column can be said to be. */
export const KINDS = ['binary', 'categorical', 'ordered', 'excluded'] as const;
export type Kind = (typeof KINDS)[number];
/** Why a column is left out that was said to be excluded. */
export const EXCLUDED = 'it was excluded';
/** Why the column of weights is left out. */
export const WEIGHS_ROWS = 'it weighs the rows';
/** What a column is taken for, and why, where that needs saying. */
export type Inferred =
  | {
      readonly kind: 'binary' | 'categorical' | 'ordered';
      /** What is made of cells that are not read as they stand; absent where all are. */
      readonly how?: string;
      /** How an ordered column is written where most cells are neither plain numbers nor dates as 2025-04-03. */
      readonly format?: OrderedFormat;
      /** Whether some cells of an ordered column are missing values for what they say. */
      readonly hasMissing?: boolean;
    }
  | { readonly kind: 'excluded'; readonly why: string };

export interface Judging {
  /** The file, for messages. */
  readonly where: string;
  /** Whether a cell that does not fit its column is refused. @default false: it is a missing value */
  readonly isStrict?: boolean | undefined;
  /** Whether the file says of what type its columns are, so that numbers in texts are texts. @default false */
  readonly isTyped?: boolean | undefined;
  readonly wordFor?: OptionWord<TableOptionName> | undefined;
  /** Which of day and month comes first, where dates do not show it. */
  readonly dates?: DayOrder | undefined;
}
