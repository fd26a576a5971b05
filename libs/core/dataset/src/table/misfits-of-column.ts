import { counted } from '@orchard/refusal';
import type { ColumnProfile } from './column-profile.js';

/** @param such an example, and where it is: `, as "n/k" in row 7` */
export function misfitsAre(misfits: number, what: string, such: string): string {
  return `${counted(misfits, 'cell is', 'cells are')} not read as ${what}${such}: missing`;
}

export function momentWord({ ofMoments: { format } }: ColumnProfile): string {
  return ({ date: 'dates', time: 'times', duration: 'durations' } as const)[format?.type ?? 'date'];
}
