import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readContent, refusalOf, rowsOf } from '../../bit-files/reading.suite.js';
import { readTable } from '../opening.suite.js';
import { likelyEncodings } from './text-encoding.js';

const utf16le = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();
/** Texts in other encodings, by their bytes. */
const GREEK = Buffer.concat([
  hex('f0fcebe7'),
  text(',n\n'),
  hex('d0dcf4f1e1'),
  text(',9\n'),
  hex('c1e8deede1'),
  text(',3\n'),
]);
const BIG5 = Buffer.concat([
  hex('abb0a5ab'),
  text(',n\n'),
  hex('b0aab6af'),
  text(',3\n'),
  hex('a578a55f'),
  text(',8\n'),
]);
const CYRILLIC = Buffer.concat([
  hex('e3eef0eee4'),
  text(',n\n'),
  hex('cceef1eae2e0'),
  text(',3\n'),
  hex('cef1ebee'),
  text(',8\n'),
]);
const KOI8 = Buffer.concat([
  hex('c7cfd2cfc4'),
  text(',n\n'),
  hex('edcfd3cbd7c1'),
  text(',3\n'),
  hex('efd3cccf'),
  text(',8\n'),
]);
const SHIFT_JIS = Buffer.concat([
  hex('937392ac'),
  text(',n\n'),
  hex('938c8b9e'),
  text(',3\n'),
  hex('91e58de3'),
  text(',8\n'),
]);
const KOREAN = Buffer.concat([
  hex('b5b5bdc3'),
  text(',n\n'),
  hex('bcadbfef'),
  text(',3\n'),
  hex('bace bbea'.replace(' ', '')),
  text(',8\n'),
]);
const CHINESE = Buffer.concat([
  hex('b3c7cad0'),
  text(',n\n'),
  hex('b1b1bea9'),
  text(',3\n'),
  hex('c9cfbaa3'),
  text(',8\n'),
]);

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}

function text(letters: string): Buffer {
  return Buffer.from(letters, 'latin1');
}

describe('a text', () => {
  it.each([
    ['little', utf16le],
    ['big', utf16be],
  ])('of UTF-16 is read by its mark, %s-endian, in whatever chunks it comes', async (_, written) => {
    for (const chunkBytes of [1, 3, 1000]) {
      const { columns, rows } = await readTable(written('stadt\tn\nK\u00f6ln\t4\nB\ud83c\udf32n\t5\n'), {
        name: 'x.tsv',
        chunkBytes,
      });
      expect(columns).toEqual(['stadt', 'n']);
      expect(rows).toEqual([
        ['K\u00f6ln', '4'],
        ['B\ud83c\udf32n', '5'],
      ]);
    }
    expect((await readTable(gzipSync(written('[{"a": "\u00f6"}]')), { name: 'x.json.gz' })).rows).toEqual([['\u00f6']]);
    expect(rowsOf(await readContent(written('a,b\n0,1\n')))).toEqual(['01']);
  });

  it.each([
    ['windows-1252', text('stadt,n\nK\xf6ln \x80,9\n'), 'K\u00f6ln \u20ac'],
    ['latin-1', text('stadt,n\nK\xf6ln,9\n'), 'K\u00f6ln'],
    ['cp1253', GREEK, '\u03a0\u03ac\u03c4\u03c1\u03b1'],
    ['big5', BIG5, '\u9ad8\u96c4'],
    ['utf_16_le', Buffer.from('stadt,n\nK\u00f6ln,9\n', 'utf16le'), 'K\u00f6ln'],
  ])('is read in the encoding that is said: %s', async (encoding, bytes, word) => {
    for (const chunkBytes of [1, 1000])
      expect((await readTable(bytes, { encoding, chunkBytes })).rows[0]![0]).toBe(word);
  });

  it('is refused by its line where it is of another encoding than was said', async () => {
    const bytes = Buffer.concat([BIG5, hex('a4'), text(',8\n')]);
    expect(await refusalOf(readTable(bytes, { encoding: 'big5' }))).toMatchObject({
      code: 'encoding',
      got: expect.stringContaining('bytes that are not big5') as unknown,
      where: 'x.csv, line 4',
    });
    expect(await refusalOf(readTable('a\n1\n', { encoding: 'ebcdic' }))).toMatchObject({ code: 'argument' });
  });

  it.each([
    ['windows-1252', text('stadt,n\nK\xf6ln,9\nD\xfcsseldorf,3\n'), 'K\u00f6ln'],
    ['windows-1250', text('miasto,n\nKrak\xf3w,3\n\xa3\xf3d\x9f,9\nGda\xf1sk,2\n'), 'Krak\u00f3w'],
    ['windows-1253', GREEK, '\u03c0\u03cc\u03bb\u03b7'],
    ['windows-1251', CYRILLIC, '\u0433\u043e\u0440\u043e\u0434'],
    ['koi8-r', KOI8, '\u0433\u043e\u0440\u043e\u0434'],
    ['big5', BIG5, '\u57ce\u5e02'],
    ['shift_jis', SHIFT_JIS, '\u90fd\u753a'],
    ['euc-kr', KOREAN, '\ub3c4\uc2dc'],
    ['gb18030', CHINESE, '\u57ce\u5e02'],
  ])('that is %s is refused with that name, and a word of it as it is read then', async (encoding, bytes, word) => {
    expect(likelyEncodings(bytes)[0]).toEqual({ encoding, word });
    const error = await refusalOf(readTable(bytes, { wordFor: () => '--encoding' }));
    expect(error.code).toBe('encoding');
    expect(error.remedy).toContain(`${encoding} ("${word}")`);
    expect(error.remedy).toContain('(--encoding)');
  });

  it('that makes sense in two encodings is refused with both', () => {
    expect(likelyEncodings(text('stadt,n\nK\x9aln,9\nM\x9anster,3\n'))).toEqual([
      { encoding: 'windows-1252', word: 'K\u0161ln' },
      { encoding: 'macintosh', word: 'K\u00f6ln' },
    ]);
  });

  it('of UTF-8 with some other bytes is not taken for another encoding', async () => {
    const bytes = Buffer.concat([Buffer.from('stadt,n\nK\u00f6ln,9\nD\u00fcren,3\n'), text('L\xfcnen,4\n')]);
    const error = await refusalOf(readTable(bytes));
    expect(error.where).toBe('x.csv, line 4');
    expect(error.remedy).toBe('Correct them, or leave them out: iconv -c -f UTF-8 -t UTF-8.');
  });

  it.each([
    ['x.csv', `k,n\n${'b,5\n'.repeat(30)}a\0,5\n`, 32],
    ['x.csv', `k,n\n${'b,5\n'.repeat(3000)}a\0,5\n`, 3002],
    ['x.jsonl', `${'{"a": 1}\n'.repeat(30)}{"a": "\0"}\n`, 31],
    ['x.svm', `${'1 1:1\n'.repeat(30)}1 1:1\0\n`, 31],
  ])('with a NUL is refused by its line: %s', async (name, content, line) => {
    expect(await refusalOf(readTable(content, { name }))).toMatchObject({
      code: 'encoding',
      got: 'a NUL, the character of number 0',
      where: `${name}, line ${line}`,
      remedy: expect.stringContaining("tr -d '\\000'") as unknown,
    });
  });
});
