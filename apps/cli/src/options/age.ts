import { UsageError } from '../errors.js';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** Ten years: what the coordinator takes. */
const MOST_DAYS = 3650;

/** An age as people write it, in seconds: a whole number and its unit. @throws UsageError */
export function age(option: string): (text: string) => number {
  return (text) => {
    const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
    const seconds = Number(amount) * (secondsOf[unit ?? ''] ?? NaN);
    if (seconds <= MOST_DAYS * secondsOf['d']!) return seconds;
    throw new UsageError({
      got: JSON.stringify(text),
      expected: `a whole number and its unit, as 90s, 30m, 12h or 7d, at most ${String(MOST_DAYS)}d`,
      where: option,
      remedy: 'Correct the option.',
    });
  };
}
