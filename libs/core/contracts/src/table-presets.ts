import { AUTO } from './auto.js';
import type { TableStart } from './options.js';
import { presets } from './presets.js';

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
  readonly patience?: number;
  /** What is otherwise where words ask for one model: no other members make good for large steps. */
  readonly alone?: { readonly shrinkage: number; readonly patience: number };
}

/**
 * The presets of tables, by their size. What they leave open is as in `presets`. Members of small trees are mixed: each
 * other order of the columns tells something more, and where rows are few what one model chooses rests on few
 * validation rows. Where rows are many, three of them by large steps and little patience are likelier than two by small
 * ones, in the same time (libs/families/tables/measured.md). Columns of numbers start from a line where it tells
 * something (decision 6 there).
 */
export const tablePresets = {
  paper: { few: {}, many: {} },
  default: {
    few: { leaves: 8, members: 4, start: AUTO },
    many: {
      leaves: 8,
      members: 3,
      start: AUTO,
      shrinkage: 0.2,
      patience: 8,
      alone: { shrinkage: 0.1, patience: presets.default.patience },
    },
  },
  accurate: {
    few: { leaves: 8, members: 8, start: AUTO },
    many: { leaves: AUTO, members: 4, start: AUTO },
  },
} as const satisfies Record<string, Readonly<Record<TableSize, TablePreset>>>;

export type TablePresetName = keyof typeof tablePresets;

export const tablePresetNames = Object.keys(tablePresets) as [TablePresetName, ...TablePresetName[]];
