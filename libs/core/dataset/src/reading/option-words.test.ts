import { describe, expect, it } from 'vitest';
import type { OptionWord } from './option-words.js';
import { readContent, refusalOf } from '../bit-files/reading.suite.js';
import type { ReadOptions } from './options.js';

const remedyOf = async (content: string, options: ReadOptions): Promise<string> =>
  (await refusalOf(readContent(content, options))).remedy;

describe('messages call options as whoever is told does', () => {
  const flags: OptionWord = (option) => `--${option}`;
  it.each<[string, ReadOptions, string]>([
    ['a,b\n0,0.5\n', {}, 'give a threshold (--threshold), or binarize at random with a seed (--binarize, --seed).'],
    ['a,b\n0,red\n', {}, 'read as one-hot columns (--oneHot), or left out by choosing columns (--columns).'],
    ['a,b\n0,?\n', {}, 'If the mark is a category, set other marks (--missing).'],
    ['0,b,1\n', {}, 'If line 1 holds names, read it with a header (--header).'],
    ['1,2,3\n', { threshold: 2 }, 'Say whether line 1 is a header (--header).'],
    ['0,300\n', { binarize: 'bernoulli', seed: 1 }, 'Give the scale (--scale)'],
    ['0,1\n0,1\n', { maxCells: 3 }, 'raise the limit (--maxCells).'],
    ['0,1\n', { maxLineBytes: 2 }, 'raise the limit (--maxLineBytes).'],
    ['a,b\n0,1;0\n', {}, 'data or libsvm (--format).'],
  ])('%j', async (content, options, remedy) => {
    expect(await remedyOf(content, { ...options, wordFor: flags })).toContain(remedy);
  });

  it('and not at all in the library where nobody says otherwise', async () => {
    expect(await remedyOf('a,b\n0,0.5\n', {})).toContain('give a threshold, or binarize at random with a seed.');
  });

  it('and do not advise an option that is not there', async () => {
    const none: OptionWord = (option) => (option === 'threshold' ? '?threshold=' : null);
    expect(await remedyOf('a,b\n0,0.5\n', { wordFor: none })).toBe(
      'Make the values binary on the way in: give a threshold (?threshold=).',
    );
    expect(await remedyOf('a,b\n0,?\n', { wordFor: none })).not.toContain('category');
    expect(await remedyOf('0,1\n0,1\n', { maxCells: 3, wordFor: none })).toBe('Read fewer columns or rows.');
  });
});

describe('a column that is asked for by a word', () => {
  it('holds line 1 for names, and is refused with those that there are', async () => {
    expect(
      await refusalOf(readContent('region,job\nnorth,a\n', { oneHot: ['nosuch'], wordFor: (option) => `--${option}` })),
    ).toMatchObject({
      code: 'column',
      got: 'the column "nosuch" of --oneHot',
      expected: 'a number from 1 to 2 or one of "region", "job"',
    });
  });

  it('is suggested what it may mean', async () => {
    const head = Array.from({ length: 40 }, (_, dim) => `column${String(dim)}`);
    const csv = `${[...head, 'smoker'].join(',')}\n${new Array(41).fill('1').join(',')}\n`;
    expect(await remedyOf(csv, { columns: ['smokr'] })).toBe('Did you mean "smoker"?');
  });
});
