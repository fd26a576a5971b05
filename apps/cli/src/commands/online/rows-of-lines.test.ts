import { describe, expect, test } from 'vitest';
import { readLine } from './rows-of-lines.js';

describe('a line of a stream', () => {
  test.each(['0,1,1', '0;1;1', '0\t1\t1', '0 1 1', ' 0,  1, 1\r', '011'])('%j is a row', (line) => {
    expect(readLine(line, 3, 3)).toEqual({ values: Uint8Array.of(0, 1, 1) });
  });

  test('is the names of the columns where it is the first and holds something else', () => {
    expect(readLine('a,"größe",c', 1, null)).toEqual({ names: ['a', 'größe', 'c'] });
    expect(readLine('0,1,1', 1, null)).toEqual({ values: Uint8Array.of(0, 1, 1) });
    expect(readLine('', 1, null)).toBeNull();
  });

  test.each([
    ['0,2,1', 7, /line 7.*"2".*0 or 1/],
    ['0,1', 7, /line 7.*2 values.*3/],
    ['a,b', 2, /line 2.*"a"/],
    ['a,b,a', 1, /line 1.*"a" twice/],
    ['a,,b', 1, /line 1.*without a name/],
  ])('%j as line %i is refused', (line, number, message) => {
    expect(() => readLine(line, number, 3)).toThrow(message);
  });
});
