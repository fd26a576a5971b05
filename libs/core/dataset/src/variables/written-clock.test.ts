import type { DateFormat, TimeFormat, WrittenClock } from '@orchard/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonDateFormat, dateFormatOf, dateFromText, datePattern, writeDate } from './date-format.js';
import { commonTimeFormat, timeFormatOf, timeFromText, timePattern, writeTime } from './time-format.js';

const clocks: readonly WrittenClock[] = [
  { padded: false, morning: '' },
  ...(['AM', 'am', ' AM', ' am'] as const).flatMap((morning) => [true, false].map((padded) => ({ padded, morning }))),
];
const time = (clock: WrittenClock): TimeFormat => ({ type: 'time', seconds: false, digits: 0, clock });

test.each([
  ['0:05', { padded: false, morning: '' }, 'h:mm', 5],
  ['8:12', { padded: false, morning: '' }, 'h:mm', 492],
  ['12:05 AM', { padded: true, morning: ' AM' }, 'hh:mm AM', 5],
  ['12:05pm', { padded: true, morning: 'am' }, 'hh:mmam', 725],
  ['8:12 PM', { padded: false, morning: ' AM' }, 'h:mm AM', 1212],
] as const)('%s is a time of day', (text, clock, pattern, minutes) => {
  const format = timeFormatOf(text);
  expect(format).toEqual(time(clock));
  expect(timePattern(format!)).toBe(pattern);
  expect(timeFromText(text, format!)).toBe(minutes * 60);
});

describe('a column', () => {
  const formatOf = (...texts: readonly string[]) =>
    texts.map(timeFormatOf).reduce((one, other) => one && other && commonTimeFormat(one, other));

  test('has hours of one digit without a zero where any has none', () => {
    expect(formatOf('12:30', '8:30')).toEqual(time({ padded: false, morning: '' }));
    expect(formatOf('8:30', '08:30')).toEqual(time({ padded: false, morning: '' }));
    expect(formatOf('12:30 PM', '08:30 AM')).toEqual(time({ padded: true, morning: ' AM' }));
    expect(formatOf('12:30 PM', '8:30 AM')).toEqual(time({ padded: false, morning: ' AM' }));
  });

  test('counts hours to 12 or to 24, not both', () => {
    expect(formatOf('8:30', '8:30 PM')).toBeNull();
    expect(timeFromText('20:30', time({ padded: true, morning: ' AM' }))).toBeNaN();
    expect(timeFromText('8:30 PM', time({ padded: false, morning: '' }))).toBeNaN();
    expect(timeFromText('8:30pm', time({ padded: true, morning: ' AM' }))).toBe(1230 * 60);
    const [plain, halved] = ['2025-04-03 08:30', '2025-04-03 8:30 PM'].map((text) => dateFormatOf(text)!);
    expect(commonDateFormat(plain!, halved!)).toBeNull();
  });
});

test('every time is written by the clock of its column, and read again as the same', () => {
  fc.assert(
    fc.property(fc.constantFrom(...clocks), fc.integer({ min: 0, max: 86_399 }), (clock, value) => {
      const format: TimeFormat = { type: 'time', seconds: true, digits: 0, clock };
      expect(timeFromText(writeTime(value, format), format)).toBe(value);
    }),
  );
});

test('a moment has the clock of its column behind its day', () => {
  const format: DateFormat = {
    type: 'date',
    time: { separator: ' ', seconds: false, digits: 0, zone: '', clock: { padded: false, morning: ' AM' } },
    written: { order: 'mdy', separator: '/', month: 'number', padded: false },
  };
  expect(datePattern(format)).toBe('M/D/YYYY h:mm AM');
  const evening = dateFromText('7/3/2024 7:58 PM', format);
  expect(evening).toBe(Date.UTC(2024, 6, 3, 19, 58) / 1000);
  expect(writeDate(evening, format)).toBe('7/3/2024 7:58 PM');
  expect(dateFromText('7/3/2024 19:58', format)).toBeNaN();
});
