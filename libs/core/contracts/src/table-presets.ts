import { AUTO } from './auto.js';
import type { TableStart } from './options.js';

/** Tables of fewer rows, training and validation together, have settings of their own. */
export const FEW_TABLE_ROWS = 1000;

/** What a preset says of a table where its words do not. */
export interface TablePreset {
  readonly leaves?: number | typeof AUTO;
  readonly members?: number;
  readonly start?: TableStart;
}

/**
 * The presets of tables, of few rows and of others. What they leave open is as in `presets`. Few rows have members of
 * small trees: what one model chooses rests on a few dozen validation rows (libs/families/tables/measured.md). Columns
 * of numbers start from a line where it tells something (decision 6 there).
 */
export const tablePresets = {
  paper: { few: {}, others: {} },
  default: { few: { leaves: 4, members: 4, start: AUTO }, others: { leaves: AUTO, start: AUTO } },
  accurate: { few: { leaves: 4, members: 8, start: AUTO }, others: { leaves: AUTO, members: 4, start: AUTO } },
} as const satisfies Record<string, { readonly few: TablePreset; readonly others: TablePreset }>;

export type TablePresetName = keyof typeof tablePresets;

export const tablePresetNames = Object.keys(tablePresets) as [TablePresetName, ...TablePresetName[]];
