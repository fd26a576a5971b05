import type { WrittenClock } from '@orchard/contracts';
import { digitsOf, writtenWhole } from './whole-number.js';
import { FRACTION } from './written-fraction.js';

/** A clock at the end of a text, alone or behind a day: 8:30, 08:30:15.5, 8:30 PM. */
const CLOCK = new RegExp(
  String.raw`(?<=^|[T ])(?<hours>\d{1,2})(?<rest>:\d\d(?::\d\d(?:${FRACTION})?)?)(?:(?<space> ?)(?<half>[AP]M|[ap]m))?$`,
);

const USUAL: WrittenClock = { padded: true, morning: '' };

/** A text, its clock as `20:30`, and how that was written; undefined where it was so. */
export interface ReadClock {
  readonly text: string;
  readonly clock?: WrittenClock;
}

/** A text whose clock cannot be, as 13:30 PM, stays as it is. */
export function readClock(text: string): ReadClock {
  const match = CLOCK.exec(text);
  if (match === null) return { text };
  const { hours = '', rest = '', space = '', half } = match.groups ?? {};
  const padded = hours.length === 2;
  if (half === undefined && padded) return { text };
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return { text };
  const isAfternoon = half?.startsWith('P') === true || half?.startsWith('p') === true;
  const ofDay = half === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0);
  const word = half === undefined ? '' : half.endsWith('M') ? 'AM' : 'am';
  return {
    text: text.slice(0, match.index) + String(ofDay).padStart(2, '0') + rest,
    clock: { padded, morning: `${space}${word}` as WrittenClock['morning'] },
  };
}

/**
 * The text with its clock as `20:30`, where it is written as in its column: zeros before hours do not count, nor does
 * the case of AM and PM; null otherwise.
 */
export function plainClock(text: string, { morning, whole }: WrittenClock): string | null {
  if (whole !== undefined) {
    const digits = digitsOf(text, 4);
    return digits === null ? null : `${digits.slice(0, 2)}:${digits.slice(2)}`;
  }
  const { text: plain, clock } = readClock(text);
  return isHalved(clock) === (morning !== '') ? plain : null;
}

/** One way for a whole column; undefined for the usual one, and null where some count hours to 12 and others to 24. */
export function commonClock(
  one: WrittenClock | undefined,
  other: WrittenClock | undefined,
): WrittenClock | undefined | null {
  if (isHalved(one) !== isHalved(other)) return null;
  const [first, second] = [one ?? USUAL, other ?? USUAL];
  const padded = first.padded && second.padded;
  return padded && first.morning === '' ? undefined : { padded, morning: first.morning };
}

/** A clock, as `20:30:15`, in the way of its column. */
export function writtenClock(plain: string, { padded, morning, whole }: WrittenClock): string {
  if (whole !== undefined) return writtenWhole(plain.replace(':', ''), padded, whole);
  const ofDay = Number(plain.slice(0, 2));
  const hour = morning === '' ? ofDay : ofDay % 12 || 12;
  const half = ofDay < 12 ? morning : morning.replace('A', 'P').replace('a', 'p');
  return `${String(hour).padStart(padded ? 2 : 1, '0')}${plain.slice(2)}${half}`;
}

/** How clocks look, of a pattern as `hh:mm:ss`. */
export function clockPattern(plain: string, { padded, morning, whole }: WrittenClock = USUAL): string {
  if (whole !== undefined) return `${padded ? 'hhmm' : 'hmm'}${whole === 'point' ? '.0' : ''}`;
  return `${padded ? plain : plain.slice(1)}${morning}`;
}

function isHalved(clock: WrittenClock | undefined): boolean {
  return clock !== undefined && clock.morning !== '';
}
