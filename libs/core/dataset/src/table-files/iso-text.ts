/** Units of time in a second. */
const UNITS = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n } as const;
export type TimeUnit = keyof typeof UNITS;

/** The date so many days after 1970-01-01, as 2026-01-31. */
export function dayText(days: number): string {
  return secondsText(days * 86_400).slice(0, -'T00:00:00'.length);
}

/**
 * The moment so many units after 1970-01-01, as 2026-01-31T08:30:00, with decimals where it has any, and `Z` in UTC.
 */
export function momentText(units: bigint | number, unit: TimeUnit, isUtc: boolean): string {
  const [seconds, fraction] = split(BigInt(units), unit);
  return secondsText(seconds) + fraction + (isUtc ? 'Z' : '');
}

/** The time so many units after midnight, as 08:30:00. */
export function clockText(units: bigint | number, unit: TimeUnit): string {
  const [seconds, fraction] = split(BigInt(units), unit);
  return secondsText(seconds).slice(-'00:00:00'.length) + fraction;
}

/** The length of time of so many units, as pandas writes it: `1 days 02:30:00`, `-1 days +23:59:30.500000`. */
export function durationText(units: bigint | number, unit: TimeUnit): string {
  const [seconds, fraction] = split(BigInt(units), unit);
  const days = Math.floor(seconds / 86_400);
  const clock = secondsText(seconds - days * 86_400).slice(-'00:00:00'.length);
  return `${days} days ${days < 0 ? '+' : ''}${clock}${fraction}`;
}

function split(units: bigint, unit: TimeUnit): [seconds: number, fraction: string] {
  const inSecond = UNITS[unit];
  const rest = ((units % inSecond) + inSecond) % inSecond;
  const seconds = Number((units - rest) / inSecond);
  if (rest === 0n) return [seconds, ''];
  const digits = rest.toString().padStart(inSecond.toString().length - 1, '0');
  return [seconds, `.${digits.replace(/^(\d{3}|\d{6})0+$/, '$1')}`];
}

/** The furthest second that a Date holds. */
const LAST = 8.64e12;

function secondsText(seconds: number): string {
  if (Math.abs(seconds) > LAST) throw new RangeError(`${seconds} seconds from 1970 is not a date`);
  return new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
}
