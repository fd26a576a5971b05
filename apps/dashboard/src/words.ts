import type { TimeLeft } from '@orchard/contracts';

/** Figures and times as people read them. */

const grouped = new Intl.NumberFormat('en');

export const count = (value: number): string => grouped.format(value);

export const counted = (value: number, what: string): string => `${count(value)} ${what}${value === 1 ? '' : 's'}`;

/** Four significant digits, and not more than three decimals; zero has no sign. */
export function nats(value: number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const size = Math.abs(value);
  const text = value.toFixed(size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
  return text === '-0.000' ? '0.000' : text;
}

export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0)} %`;

export function bytes(value: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [scaled, unit] = [value, 0];
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? count(scaled) : scaled.toFixed(1)} ${units[unit]!}`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${String(Math.round(seconds))} s`;
  if (seconds < 5400) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return counted(Math.round(seconds / 86_400), 'day');
}

/** What the time left may well be: `50 s to 3 min left`. */
export function timeLeft({ least, most }: NonNullable<TimeLeft['secondsLeftRange']>): string {
  const [shortest, longest] = [duration(least), duration(most)];
  return shortest === longest ? `${longest} left` : `${shortest} to ${longest} left`;
}

/** A time of a curve: short, and another word for each tick. */
export function clock(seconds: number): string {
  if (seconds <= 0) return '0 s';
  if (seconds < 90) return `${String(Number(seconds.toFixed(1)))} s`;
  if (seconds < 5400) return `${String(Number((seconds / 60).toFixed(1)))} min`;
  return `${String(Number((seconds / 3600).toFixed(2)))} h`;
}

export const ago = (time: number | string): string => {
  const seconds = (Date.now() - (typeof time === 'number' ? time : Date.parse(time))) / 1000;
  return seconds < 5 ? 'just now' : `${duration(seconds)} ago`;
};

/** The beginning of an id: enough to tell runs apart. */
export const short = (id: string): string => id.slice(0, 8);

export const moment = (time: string): string => new Date(time).toLocaleString();

const endStates: readonly string[] = ['done', 'failed', 'cancelled'];

export const hasEnded = (state: string): boolean => endStates.includes(state);

/** A choice of a model in words: `selection common, refit`. */
export function choiceWords(choice: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(choice).map(([name, value]) =>
    value === true ? name : value === false ? '' : `${name} ${String(value)}`,
  );
  return words.filter((word) => word !== '').join(', ');
}

/** What was thrown, as a sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
