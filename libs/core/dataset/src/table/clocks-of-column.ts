import type { MomentFormat } from '@orchard/contracts';
import { quote } from '../errors.js';
import { durationFormatOf, durationFormatOfTimes } from '../variables/duration-format.js';
import { timeFormatOf } from '../variables/time-format.js';
import type { ColumnProfile } from './column-profile.js';

/** How columns of lengths of time are called. */
const LENGTHS = /duration|elapsed|length|worked|spent|run_?time|lap_?time|total_?time/i;

/** Clocks as 7:08:00 of a column that is called as a length of time: no time of day is written without a zero. */
function areLengths({ ofMoments: { format } }: ColumnProfile, name: string): boolean {
  const isOfClocks = format?.type === 'time' && format.seconds && format.clock?.padded === false;
  return isOfClocks && format.clock?.morning === '' && LENGTHS.test(name);
}

/** The format of a column of dates, times or durations. */
export function momentFormatOfColumn(profile: ColumnProfile, name: string): MomentFormat | null {
  const { format, formatOfColumn } = profile.ofMoments;
  return format?.type === 'time' && areLengths(profile, name) ? durationFormatOfTimes(format) : formatOfColumn;
}

/** What is said of clocks that may be times of day, and are durations. */
export function clocksAre(profile: ColumnProfile, name: string): string[] {
  const { labels, ofMoments } = profile;
  const [first = ''] = labels.keys();
  if (areLengths(profile, name)) return [`clocks as ${quote(first)} are read as durations, as the name says`];
  const { format } = ofMoments;
  if (format?.type !== 'duration' || format.clock === undefined) return [];
  const units = format.clock.seconds ? '' : ' of hours and minutes';
  const beyond = [...labels.keys()].find((text) => timeFormatOf(text) === null && durationFormatOf(text) !== null);
  return [`clocks are read as durations${units}, since some are no times of day, as ${quote(beyond ?? first)}`];
}
