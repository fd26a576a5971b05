import { AUTO } from './auto.js';
import type { TableStart } from './options.js';

/**
 * Sizes of tables that have settings of their own, from the smallest on: rows that a size stays below, training and
 * validation together. Other tables are `many`.
 */
export const tableSizes = { few: 1000, some: 5000 } as const;

export type TableSize = keyof typeof tableSizes | 'many';

export function tableSizeOf(rows: number): TableSize {
  if (rows < tableSizes.few) return 'few';
  return rows < tableSizes.some ? 'some' : 'many';
}

/** What a preset says of a table where its words do not. */
export interface TablePreset {
  readonly leaves?: number | typeof AUTO;
  readonly members?: number;
  readonly start?: TableStart;
}

/**
 * The presets of tables, by their size. What they leave open is as in `presets`. Below 5,000 rows members of small
 * trees are mixed: what one model chooses rests on few validation rows, and each other order of the columns tells
 * something more (libs/families/tables/measured.md). Columns of numbers start from a line where it tells something
 * (decision 6 there).
 */
export const tablePresets = {
  paper: { few: {}, some: {}, many: {} },
  default: {
    few: { leaves: 4, members: 4, start: AUTO },
    some: { leaves: 8, members: 4, start: AUTO },
    many: { leaves: AUTO, start: AUTO },
  },
  accurate: {
    few: { leaves: 4, members: 8, start: AUTO },
    some: { leaves: 8, members: 8, start: AUTO },
    many: { leaves: AUTO, members: 4, start: AUTO },
  },
} as const satisfies Record<string, Readonly<Record<TableSize, TablePreset>>>;

export type TablePresetName = keyof typeof tablePresets;

export const tablePresetNames = Object.keys(tablePresets) as [TablePresetName, ...TablePresetName[]];
