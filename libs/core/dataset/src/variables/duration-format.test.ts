import { describe, expect, it } from 'vitest';
import {
  commonDurationFormat,
  durationFormatOf,
  durationFormatOfTimes,
  durationFromText,
  durationPattern,
  writeDuration,
} from './duration-format.js';

const ofDigits = (digits: number) => ({ type: 'duration', digits }) as const;

describe('durations', () => {
  it.each([
    ['0 days 00:12:30', 750],
    ['1 days 02:30:00', 95_400],
    ['-1 days +23:59:30', -30],
    ['-2 days +00:00:00', -172_800],
    ['100000 days 23:59:59', 8_640_086_399],
  ])('%s is %i seconds, and written so again', (text, seconds) => {
    expect(durationFormatOf(text)).toEqual(ofDigits(0));
    expect(durationFromText(text, ofDigits(0))).toBe(seconds);
    expect(writeDuration(seconds, ofDigits(0))).toBe(text);
  });

  it.each([
    ['0 days 00:00:01.500000', 1, 15],
    ['-1 days +23:59:59.999', 3, -1],
    ['0 days 00:00:00.000000001', 9, 1],
  ])('%s has %i digits behind the point that count', (text, digits, value) => {
    expect(durationFormatOf(text)).toEqual(ofDigits(digits));
    expect(durationFromText(text, ofDigits(digits))).toBe(value);
    expect(durationFromText(writeDuration(value, ofDigits(digits)), ofDigits(digits))).toBe(value);
  });

  it.each(['1 day 00:00:00', '0 days +00:00:00'])('%s, as others write it, is read', (text) => {
    expect(durationFormatOf(text)).toEqual(ofDigits(0));
  });

  it.each(['12:30', '0 days', '0 days 24:00:00', '0 days 00:60:00', 'two days 00:00:00', '1.5 days 00:00:00'])(
    '%s does not make a column of durations',
    (text) => expect(durationFormatOf(text)).toBeNull(),
  );

  it('may be given without days, where it is known that they are durations', () => {
    expect(
      ['00:12:30', '36:15:00', '-00:00:30', '00:00:00.25', 'soon', '12:30'].map((text) =>
        durationFromText(text, ofDigits(2)),
      ),
    ).toEqual([75_000, 13_050_000, -3000, 25, NaN, NaN]);
  });

  it.each([
    ['31:15:00', 112_500, { seconds: true, padded: true }],
    ['-7:08:30', -25_710, { seconds: true, padded: false }],
    ['131:15', 472_500, { seconds: false, padded: true }],
  ])('%s is a clock beyond a day, of %i seconds, and written so again', (text, seconds, clock) => {
    const format = { type: 'duration', digits: 0, clock } as const;
    expect(durationFormatOf(text)).toEqual(format);
    expect(durationFromText(text, format)).toBe(seconds);
    expect(writeDuration(seconds, format)).toBe(text);
  });

  it('beside such clocks are of times of day too, but not of those with AM and PM', () => {
    const long = durationFormatOf('31:15:00')!;
    const own = durationFormatOfTimes({
      type: 'time',
      seconds: true,
      digits: 1,
      clock: { padded: false, morning: '' },
    });
    expect(commonDurationFormat(long, own!)).toEqual({
      type: 'duration',
      digits: 1,
      clock: { seconds: true, padded: false },
    });
    expect(writeDuration(256_801, commonDurationFormat(long, own!)!)).toBe('7:08:00.1');
    expect(durationPattern(commonDurationFormat(long, own!)!)).toBe('h:mm:ss.f');
    expect(
      durationFormatOfTimes({ type: 'time', seconds: true, digits: 0, clock: { padded: true, morning: ' AM' } }),
    ).toBeNull();
    expect(commonDurationFormat(long, ofDigits(0))).toBeNull();
  });

  it('of several digits have the most', () => {
    expect(commonDurationFormat(ofDigits(1), ofDigits(3))).toEqual(ofDigits(3));
    expect(commonDurationFormat(ofDigits(3), ofDigits(1))).toEqual(ofDigits(3));
    expect(durationPattern(ofDigits(3))).toBe('0 days hh:mm:ss.fff');
    expect(durationPattern(ofDigits(0))).toBe('0 days hh:mm:ss');
  });
});
