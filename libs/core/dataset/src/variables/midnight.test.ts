import { describe, expect, it } from 'vitest';
import { dateFromText, writeDate } from './date-format.js';
import { isMidnight, midnightOf, withoutMidnight, zoneOf } from './midnight.js';

describe('midnights', () => {
  it.each([
    'T00:00:00',
    ' 00:00',
    ' 0:00:00',
    ' 00:00:00,000',
    ' 12:00 AM',
    'T00:00:00Z',
    ' 00:00:00 UTC',
    'T00:00:00+02:00',
  ])('are found behind a day, as "%s"', (midnight) => {
    expect(midnightOf(`2024-03-05${midnight}`)).toBe(midnight);
    expect(withoutMidnight(`2024-03-05${midnight}`)).toBe('2024-03-05');
    expect(isMidnight(midnight)).toBe(true);
    expect(zoneOf(midnight)).toBe(/(?:Z| UTC|\+\d\d:\d\d)?$/.exec(midnight)![0]);
  });

  it.each(['T00:00:01', ' 12:00', ' 10:00', ' 00:00:00.001', '', ' 0:00 PM'])('are not found in "%s"', (rest) => {
    expect(midnightOf(`2024-03-05${rest}`)).toBeNull();
    expect(withoutMidnight(`2024-03-05${rest}`)).toBe(`2024-03-05${rest}`);
  });

  it('are days, read however they are written, and written as in their column', () => {
    const format = { type: 'date', time: null, midnight: 'T00:00:00' } as const;
    for (const text of ['2024-03-05T00:00:00', '2024-03-05 0:00', '2024-03-05'])
      expect(dateFromText(text, format)).toBe(Date.UTC(2024, 2, 5) / 86_400_000);
    expect(dateFromText('2024-03-05T08:00:00', format)).toBeNaN();
    expect(writeDate(Date.UTC(2024, 2, 5) / 86_400_000, format)).toBe('2024-03-05T00:00:00');
  });
});
