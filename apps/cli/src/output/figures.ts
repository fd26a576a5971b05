import { count } from '@orchard/refusal';
import { harmlessLine } from './harmless.js';
import { textWidth } from './text-width.js';

export { errorInNats, nats, percent, withDecimals } from '@orchard/model';
export { count, counted } from '@orchard/refusal';

/** Nats to bits: 1 / ln 2. */
export const BITS_PER_NAT = 1.4426950408889634;

/** 3723 seconds as `1 h 2 min`, 75 as `1 min 15 s`, 3.21 as `3.2 s`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${String(whole)} s`;
  if (whole < 3600) return `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
  return `${String(Math.floor(whole / 3600))} h ${String(Math.floor((whole % 3600) / 60))} min`;
}

/**
 * A guess of seconds, no more exact than it is: `4 to 16 min left`, `50 s to 3 min left`.
 *
 * @param range null from a coordinator of before
 */
export function timeLeft(seconds: number, range: { readonly least: number; readonly most: number } | null): string {
  if (range === null) return `${duration(seconds)} left`;
  const [least, most] = [roughly(range.least), roughly(range.most)];
  if (least === most) return `${least} left`;
  const [number, unit] = least.split(' ');
  return most.endsWith(` ${unit!}`) ? `${number!} to ${most} left` : `${least} to ${most} left`;
}

function roughly(seconds: number): string {
  if (seconds < 90) return `${String(Math.ceil(seconds))} s`;
  if (seconds < 5_400) return `${String(Math.round(seconds / 60))} min`;
  return `${count(Math.round(seconds / 3_600))} h`;
}

/** `2026-05-17T09:30:12.123Z` as `2026-05-17 09:30`, or with its seconds; of UTC as everywhere. */
export function moment(iso: string, to: 'minutes' | 'seconds' = 'minutes'): string {
  return iso.slice(0, to === 'minutes' ? 16 : 19).replace('T', ' ');
}

/** A share of 0.123 as `12.3 %`. */
export function percentTo(share: number, decimals: number): string {
  return `${(100 * share).toFixed(decimals)} %`;
}

export function bytes(size: number): string {
  if (size < 1e3) return `${String(size)} bytes`;
  if (size < 1e6) return `${(size / 1e3).toFixed(1)} kB`;
  return size < 1e9 ? `${(size / 1e6).toFixed(1)} MB` : `${(size / 1e9).toFixed(1)} GB`;
}

/**
 * Lines of cells, the first column to the left and the others to the right, under their heads; a name with a line break
 * begins no line.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map(harmlessLine));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const space = ' '.repeat(widths[column]! - textWidth(cell));
          return column === 0 ? cell + space : space + cell;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
