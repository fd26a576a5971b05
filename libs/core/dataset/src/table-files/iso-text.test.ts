import { expect, test } from 'vitest';
import { clockText, dayText, momentText } from './iso-text.js';

test('dates and times of typed files are told as ISO texts, before 1970 too', () => {
  expect(dayText(0)).toBe('1970-01-01');
  expect(dayText(-1)).toBe('1969-12-31');
  expect(dayText(18_321)).toBe('2020-02-29');
  expect(momentText(-1, 'ns', false)).toBe('1969-12-31T23:59:59.999999999');
  expect(momentText(1_500n, 'ms', true)).toBe('1970-01-01T00:00:01.500Z');
  expect(momentText(1_500_000n, 'us', false)).toBe('1970-01-01T00:00:01.500');
  expect(momentText(1_600_000_000, 's', true)).toBe('2020-09-13T12:26:40Z');
  expect(momentText(1_000n, 'ns', false)).toBe('1970-01-01T00:00:00.000001');
  expect(clockText(30_600_000, 'ms')).toBe('08:30:00');
  expect(() => momentText(10n ** 18n, 's', false)).toThrow('is not a date');
});
