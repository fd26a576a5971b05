import { ofForm } from './values.js';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
/** Ten years: what the coordinator takes. */
const MOST_DAYS = 3650;

/** A time as `90`, `90s`, `5m`, `1.5h`, in seconds. */
export const time = ofForm(
  'a time above 0, as 90s, 5m or 1.5h; without a unit in seconds',
  (text) => {
    const [, amount, unit = 's'] = /^(\d+\.?\d*|\.\d+) *(s|m|min|h)?$/.exec(text.trim()) ?? [];
    const seconds = Number(amount) * secondsOf[unit]!;
    return seconds > 0 && seconds < 1e9 ? seconds : undefined;
  },
  () => ({ type: ['string', 'number'] }),
);

/** An age, in seconds: a whole number and its unit. */
export const age = ofForm(`a whole number and its unit, as 90s, 30m, 12h or 7d, at most ${MOST_DAYS}d`, (text) => {
  const [, amount, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  const seconds = Number(amount) * (secondsOf[unit] ?? NaN);
  return seconds <= MOST_DAYS * secondsOf['d']! ? seconds : undefined;
});
