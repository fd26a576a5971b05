import type { TimeFormat } from '@orchard/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonTimeFormat, timeFormatOf, timeFromText, timePattern, writeTime } from './time-format.js';

const time = (seconds: boolean, digits: number): TimeFormat => ({ type: 'time', seconds, digits });

test.each([
  ['00:00', time(false, 0), 'hh:mm'],
  ['23:59', time(false, 0), 'hh:mm'],
  ['08:12:33', time(true, 0), 'hh:mm:ss'],
  ['08:12:33.5', time(true, 1), 'hh:mm:ss.f'],
  ['23:59:59.999999', time(true, 6), 'hh:mm:ss.ffffff'],
])('%s is a time of day', (text, format, pattern) => {
  expect(timeFormatOf(text)).toEqual(format);
  expect(timePattern(format)).toBe(pattern);
});

test.each([
  ...['24:00', '25:61', '08:60', '08:12:60', '36:15:00', '08:12Z', '08:12+01:00', ' 08:12', '08:12\n'],
  ...[
    '08:12:33.',
    '08:12:33;5',
    '08:12:33.1234567890',
    '08:12.5',
    '0812',
    '08-12',
    '08:1',
    '00:12 AM',
    '13:12 PM',
    '8:1',
    '8:12 a.m.',
    '2026-01-31 08:12',
  ],
])('%j is none', (text) => {
  expect(timeFormatOf(text)).toBeNull();
  expect(timeFromText(text, time(true, 3))).toBeNaN();
});

test('times of a column have its seconds or not, and the most digits of all', () => {
  expect(commonTimeFormat(time(true, 1), time(true, 3))).toEqual(time(true, 3));
  expect(commonTimeFormat(time(true, 3), time(true, 0))).toEqual(time(true, 3));
  expect(commonTimeFormat(time(true, 0), time(false, 0))).toBeNull();
});

test('a time is the fractions of a second since midnight, to the digits of its column and within the day', () => {
  expect(timeFromText('08:12', time(false, 0))).toBe(29_520);
  expect(timeFromText('08:12', time(true, 3))).toBe(29_520_000);
  expect(timeFromText('08:12:33.25', time(true, 1))).toBe(295_533);
  expect(timeFromText('23:59:59.9', time(true, 0))).toBe(86_399);
});

const format = fc.oneof(
  fc.constant(time(false, 0)),
  fc.integer({ min: 0, max: 6 }).map((digits) => time(true, digits)),
);

test('every time is written in the format that it was read in, and read again as the same', () => {
  fc.assert(
    fc.property(format, fc.integer({ min: 0, max: 86_399_999_999 }), (each, micros) => {
      const unit = each.seconds ? 10 ** (6 - each.digits) : 60_000_000;
      const value = Math.floor(micros / unit) * (each.seconds ? 1 : 60);
      const text = writeTime(value, each);
      expect(timeFormatOf(text)).toEqual(each);
      expect(timeFromText(text, each)).toBe(value);
    }),
  );
});

test('what lies beyond the day is written as its first or last moment', () => {
  fc.assert(
    fc.property(
      format,
      fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -1e12, max: 1e12, noNaN: true })),
      (each, value) => {
        expect(timeFormatOf(writeTime(value, each))).toEqual(each);
      },
    ),
  );
  expect(writeTime(-1, time(false, 0))).toBe('00:00');
  expect(writeTime(86_400, time(false, 0))).toBe('23:59');
  expect(writeTime(1e300, time(true, 2))).toBe('23:59:59.99');
});
