import { ofForm, type Reader } from './values.js';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
/** Ten years: what the coordinator takes. */
const MOST_DAYS = 3650;

/** A time as `90`, `90s`, `5m`, `1.5h`, in seconds. */
export function time(option: string): Reader<number> {
  const read = (text: string): number | undefined => {
    const [, amount, unit = 's'] = /^(\d+\.?\d*|\.\d+) *(s|m|min|h)?$/.exec(text.trim()) ?? [];
    const seconds = Number(amount) * secondsOf[unit]!;
    return seconds > 0 && seconds < 1e9 ? seconds : undefined;
  };
  const expected = 'a time above 0, as 90s, 5m or 1.5h; without a unit in seconds';
  return ofForm(option, expected, read, () => ({ type: ['string', 'number'] }));
}

/** An age, in seconds: a whole number and its unit. */
export function age(option: string): Reader<number> {
  const read = (text: string): number | undefined => {
    const [, amount, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
    const seconds = Number(amount) * (secondsOf[unit] ?? NaN);
    return seconds <= MOST_DAYS * secondsOf['d']! ? seconds : undefined;
  };
  return ofForm(option, `a whole number and its unit, as 90s, 30m, 12h or 7d, at most ${String(MOST_DAYS)}d`, read);
}
