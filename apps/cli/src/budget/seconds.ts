import { UsageError } from '../errors.js';
import { knowing, type Reader } from '../options/values.js';

const UNITS = { s: 1, m: 60, min: 60, h: 3600 } as const;

/** Reads a time as `90`, `90s`, `5m`, `1.5h`, in seconds. @throws UsageError for what is not one */
export function secondsOption(option: string): Reader<number> {
  const read = (text: string): number => {
    const [, number, unit = 's'] = /^(\d+\.?\d*|\.\d+) *(s|m|min|h)?$/.exec(text.trim()) ?? [];
    const seconds = Number(number) * UNITS[unit as keyof typeof UNITS];
    if (seconds > 0 && seconds < 1e9) return seconds;
    throw new UsageError({
      got: JSON.stringify(text),
      expected: 'a time above 0, as 90s, 5m or 1.5h; without a unit in seconds',
      where: option,
      remedy: 'Correct the option.',
    });
  };
  return knowing([], read, () => ({ type: ['string', 'number'] }));
}
