import { counted } from '@orchard/refusal';
import { quote } from '../errors.js';
import { isMarkAmongNumbers } from '../variables/marks-among-numbers.js';
import type { ColumnProfile } from './column-profile.js';

/** Cells that mark missing values among numbers: how many, how many distinct ones, and the first. */
export interface Marks {
  readonly rows: number;
  readonly distinct: number;
  readonly first: string | null;
}

export function marksIn({ labels }: ColumnProfile): Marks {
  let [rows, distinct] = [0, 0];
  let first: string | null = null;
  for (const [text, count] of labels) {
    if (!isMarkAmongNumbers(text)) continue;
    rows += count;
    distinct++;
    first ??= text;
  }
  return { rows, distinct, first };
}

export function marksAre({ rows, first }: Marks): string[] {
  if (rows === 0) return [];
  return [`${counted(rows, 'cell counts', 'cells count')} as missing, as ${quote(first!)}`];
}
