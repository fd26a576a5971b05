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
}

/**
 * The presets of tables, by their size. What they leave open is as in `presets`. Where rows are few members of small
 * trees are mixed: what one model chooses rests on few validation rows, and each other order of the columns tells
 * something more (libs/families/tables/measured.md). Columns of numbers start from a line where it tells something
 * (decision 6 there).
 */
export const tablePresets = {
  paper: { few: {}, many: {} },
  default: {
    few: { leaves: 8, members: 4, start: AUTO },
    many: { leaves: AUTO, start: AUTO },
  },
  accurate: {
    few: { leaves: 8, members: 8, start: AUTO },
    many: { leaves: AUTO, members: 4, start: AUTO },
  },
} as const satisfies Record<string, Readonly<Record<TableSize, TablePreset>>>;

export type TablePresetName = keyof typeof tablePresets;

export const tablePresetNames = Object.keys(tablePresets) as [TablePresetName, ...TablePresetName[]];
