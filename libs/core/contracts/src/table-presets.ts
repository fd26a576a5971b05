import { AUTO } from './auto.js';
import type { TableStart } from './options.js';

/** Tables of fewer rows than this, training and validation together, are `few`, and have settings of their own. */
export const ROWS_OF_MANY = 5000;

export type TableSize = 'few' | 'many';

export function tableSizeOf(rows: number): TableSize {
  return rows < ROWS_OF_MANY ? 'few' : 'many';
}

/** What a preset says of a table where its words do not. */
export interface TablePreset {
  readonly leaves?: number | typeof AUTO;
  readonly members?: number;
  readonly start?: TableStart;
  readonly shrinkage?: number;
}

/**
 * The presets of tables, by their size. What they leave open is as in `presets`. Members of small trees are mixed: each
 * other order of the columns tells something more, and where rows are few what one model chooses rests on few
 * validation rows. Two of them by larger steps are as likely as by small ones where rows are many
 * (libs/families/tables/measured.md). Columns of numbers start from a line where it tells something (decision 6 there).
 */
export const tablePresets = {
  paper: { few: {}, many: {} },
  default: {
    few: { leaves: 8, members: 4, start: AUTO },
    many: { leaves: 8, members: 2, start: AUTO, shrinkage: 0.1 },
  },
  accurate: {
    few: { leaves: 8, members: 8, start: AUTO },
    many: { leaves: AUTO, members: 4, start: AUTO },
  },
} as const satisfies Record<string, Readonly<Record<TableSize, TablePreset>>>;

export type TablePresetName = keyof typeof tablePresets;

export const tablePresetNames = Object.keys(tablePresets) as [TablePresetName, ...TablePresetName[]];
