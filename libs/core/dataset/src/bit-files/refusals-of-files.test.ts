import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ReadOptions } from '../reading/options.js';
import { readDataset } from './read.js';
import { checkRefusal as check, refused as text, type Facts } from './refusals.suite.js';
import { idxFile, npyFile, readContent, readMaskedContent, refusalOf } from './reading.suite.js';

const utf16 = (content: string): Buffer => Buffer.from(content, 'utf16le');

describe('files of another kind', () => {
  const zip = Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0);
  it.each([
    text(utf16('0,1,0\n'), ['encoding', 'UTF-16', 'UTF-8', 'x.csv', 'utf-16le']),
    text(utf16('0,1,0\n').swap16(), ['encoding', 'UTF-16', 'UTF-8', 'x.csv', 'utf-16be']),
    text(Buffer.from('gr\xfcn,b\n0,1\n', 'latin1'), [
      'encoding',
      '"grün" if it is windows-1252',
      'UTF-8',
      'x.csv, line 1',
      'as UTF-8',
    ]),
    text(Buffer.from('a,b\n0,1\n\xff,1\n', 'latin1'), ['encoding', 'not UTF-8', 'UTF-8', 'x.csv, line 3', 'as UTF-8']),
    text(zip, ['format', 'a zip archive', 'read here', 'x.csv', 'Unpack it']),
    text(Buffer.from('PAR1....'), ['format', 'a Parquet file', 'read here', 'x.csv', 'give the format']),
    text(gzipSync(gzipSync('0,1\n')), ['format', 'gzip within gzip', 'read here', 'x.csv', 'Unpack it once']),
    text(Buffer.from('0,1\n'.repeat(20) + '0,1\0\n'), ['encoding', 'a NUL', 'text', 'x.csv, line 21', "tr -d '\\000'"]),
    text(Buffer.from('0\x01\0\n'), ['format', 'binary content', 'read here', 'x.csv', 'give the format']),
    text('0,1\n', ['format', 'text', 'idx as asked', 'x.csv', 'Leave the format out'], { format: 'idx' }),
    text(idxFile([1, 1, 1], [0]), ['format', 'content that is idx', 'csv as asked', 'x.csv', ''], { format: 'csv' }),
    text(npyFile('|S3', '(1, 1)', zip), ['format', 'values of type "|S3"', 'u1 to u8', 'x.csv', 'array.astype']),
    text(npyFile('<f2', '(1, 1)', zip), ['format', 'values of type "<f2"', 'f4 or f8', 'x.csv', 'array.astype']),
    text(npyFile('|u1', '(8,)', zip), ['format', 'the shape (8)', '(rows, columns)', 'x.csv', 'array.reshape']),
    text(npyFile('|u1', '()', zip), ['format', 'the shape ()', '(rows, columns)', 'x.csv', 'array.reshape']),
    text(npyFile('|u1', '(1, 2, 2, 2)', zip), ['format', 'the shape (1, 2, 2, 2)', 'height', 'x.csv', 'array.reshape']),
    text(npyFile('|u1', '(-1, 2)', zip), ['format', 'the header', 'descr', 'x.csv', 'numpy.save']),
    text(Buffer.from('\x93NUMPY\x09\x00aaaaaaaa', 'latin1'), [
      'format',
      'NPY version 9',
      '1, 2 or 3',
      'x.csv',
      'numpy.save',
    ]),
    text(Buffer.from('\x93NUMPY\x02\x00\xff\xff\xff\xff', 'latin1'), [
      'format',
      '4294967295 bytes',
      '65536',
      'x.csv',
      'plain',
    ]),
    text(idxFile([3], [1, 2, 3]), ['format', 'one size, as of labels', 'images', 'x.csv', 'file of the images']),
    text(idxFile([1, 1, 1, 1], [1]), ['format', '4 sizes', 'height and width', 'x.csv', 'rows x height x width']),
    text(idxFile([1, 1, 1], [1], 0x0d), ['format', 'type 0xd', '0x8', 'x.csv', 'unsigned bytes']),
  ])('$facts.1', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });
});

describe('files that lie about their size', () => {
  const says = (bytes: number): string => `${bytes}, as the header says`;
  it.each([
    text(npyFile('|u1', '(2, 2)', Uint8Array.of(0, 1, 1)), [
      'truncated',
      '3 bytes',
      says(4),
      'x.csv, row 2, column 2',
      'cut',
    ]),
    text(npyFile('|u1', '(2, 2)', Uint8Array.of(0, 1)), [
      'truncated',
      '2 bytes',
      says(4),
      'x.csv, row 2, column 1',
      'cut short',
    ]),
    text(npyFile('<f8', '(1, 1)', Uint8Array.of(0, 0)), [
      'truncated',
      '2 bytes',
      says(8),
      'x.csv, row 1, column 1',
      'cut short',
    ]),
    text(npyFile('|u1', '(2, 2)', Uint8Array.of(0, 1), true), [
      'truncated',
      '2 bytes',
      says(4),
      'x.csv, row 1, column 2',
      '',
    ]),
    text(npyFile('|u1', '(1, 2)', Uint8Array.of(0, 1, 1)), [
      'format',
      'more than 2',
      says(2),
      'x.csv, row 1, column 1',
      'wrong',
    ]),
    text(idxFile([2, 2, 2], [0, 1, 1]), ['truncated', '3 bytes', says(8), 'x.csv, row 1, column 4', 'cut short']),
    text(idxFile([1, 1, 2], [0, 1, 1, 1]), ['format', 'more than 2', says(2), 'x.csv, row 1, column 1', 'wrong']),
    text(idxFile([1, 2, 2], []).subarray(0, 9), ['truncated', '9 bytes', 'a whole header', 'x.csv', 'cut short']),
    text(npyFile('|u1', '(1, 2)', Uint8Array.of()).subarray(0, 30), [
      'truncated',
      '30 bytes',
      'a whole header',
      'x.csv',
      'cut',
    ]),
  ])('$facts.1 of $facts.2', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });

  it('truncated gzip, and gzip that does not hold', async () => {
    const lines = Array.from(
      { length: 5000 },
      (_, row) => `${row % 2},${(row >> 3) % 2},${(row * 7919) % 3 ? 1 : 0}\n`,
    );
    const whole = gzipSync(lines.join(''));
    const facts: Facts = ['truncated', 'gzip that ends too early', 'a whole gzip file', 'x.csv', 'Copy or compress'];
    for (const length of [3, 12, whole.length >> 1, whole.length - 1])
      check(await refusalOf(readContent(whole.subarray(0, length))), facts);
    const broken = Buffer.from(whole);
    broken[whole.length - 5]! ^= 0xff; // of the checksum
    const error = await refusalOf(readContent(broken));
    check(error, ['format', 'gzip that does not hold', 'a whole gzip file', 'x.csv', 'Copy or compress']);
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('limits', () => {
  const cells = (rows: number, dimensions: number, most: number, where = 'x.csv'): Facts => [
    'limit',
    `${rows} rows of ${dimensions} dimensions`,
    `at most ${most} cells`,
    where,
    'raise the limit',
  ];

  it('on rows x dimensions hold as soon as they are passed, in every format', async () => {
    const maxCells = 10;
    check(await refusalOf(readContent('0,1,1\n'.repeat(4), { maxCells })), cells(4, 3, 10));
    expect((await readContent('0,1,1\n'.repeat(3), { maxCells })).rows).toBe(3);
    check(await refusalOf(readContent('0,1,1.0\n'.repeat(4), { maxCells })), cells(4, 3, 10));
    check(await refusalOf(readContent(`${'0,'.repeat(10)}1\n`, { maxCells })), cells(1, 11, 10));
    check(await refusalOf(readContent('a\nx\ny\nz\nu\n', { maxCells, oneHot: ['a'] })), cells(4, 4, 10));
    const svm = { maxCells, name: 'x.svm' };
    check(await refusalOf(readContent('1 2:1\n1 9:1\n', svm)), cells(2, 9, 10, 'x.svm'));
    check(await refusalOf(readContent('1 5:1\n1\n1\n', svm)), cells(3, 5, 10, 'x.svm'));
    const values = new Uint8Array(12);
    check(await refusalOf(readContent(npyFile('|u1', '(4, 3)', values), { maxCells })), cells(4, 3, 10));
    check(await refusalOf(readContent(idxFile([4, 3], [...values]), { maxCells })), cells(4, 3, 10));
  });

  it('on cells are there by default, before any memory is taken', async () => {
    const most = 2 ** 33;
    for (const fortran of [false, true]) {
      const file = npyFile('|u1', '(99999999, 9999)', Uint8Array.of(1), fortran);
      check(await refusalOf(readContent(file)), cells(99_999_999, 9999, most));
    }
    const wide = npyFile('|u1', '(2, 9999999)', Uint8Array.of(1));
    check(await refusalOf(readContent(wide)), ['limit', '9999999 dimensions', '262144', 'x.csv', 'Choose columns']);
  });

  it('stop a gzip bomb after as little of it as shows what it is', async () => {
    const line = `${'0,'.repeat(999)}1\n`;
    const bomb = gzipSync(line.repeat(10_000)); // 20 MB of 10 million cells
    expect(bomb.length).toBeLessThan(100_000);
    check(await refusalOf(readContent(bomb, { maxCells: 100_000 })), cells(101, 1000, 100_000));
  });

  it('refuse a line of 100 MB early, in little memory', async () => {
    const facts = (most: number): Facts => [
      'limit',
      `a row of more than ${most} bytes`,
      'a row a line',
      'x.csv, line 1',
      'Put every row on a line of its own',
    ];
    const piece = Buffer.from('0,1,'.repeat(1 << 16)); // 256 KiB
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      for (; pieces < 400; pieces++) {
        await Promise.resolve();
        yield piece;
      }
    }
    const before = process.memoryUsage();
    check(await refusalOf(readDataset({ name: 'x.csv', bytes: endless() })), facts(2 ** 24));
    const after = process.memoryUsage();
    expect(pieces).toBeLessThan(70); // 16 MiB and a piece
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100e6);
    check(await refusalOf(readContent('0,1\n0,1,1,1,1\n', { maxLineBytes: 8 })), [
      ...facts(8).slice(0, 3),
      'x.csv, line 2',
      'Put',
    ] as Facts);
    check(await refusalOf(readContent('0,1,1,1,1,1', { maxLineBytes: 8 })), facts(8));
  });

  it('refuse a zipped line of 100 MB too', async () => {
    const error = await refusalOf(readContent(gzipSync(Buffer.alloc(1e8, '0,1,')), { name: 'x.csv.gz' }));
    expect(error).toMatchObject({ code: 'limit', where: 'x.csv.gz, line 1' });
  });

  it('read a number of a million digits in no time', async () => {
    const error = await refusalOf(readContent(`0,1\n0,${'1'.repeat(1e6)}x\n`));
    expect(error).toMatchObject({ code: 'value', where: 'x.csv, line 2, column 2' });
    expect(error.message.length).toBeLessThan(400);
  });
});

describe('options', () => {
  it.each([
    [{ threshold: NaN }, 'threshold NaN', 'a finite number'],
    [{ threshold: 1, binarize: 'bernoulli', seed: 1 }, 'threshold and binarize', 'one of them'],
    [{ binarize: 'bernoulli' }, 'seed undefined', 'a whole number from 0'],
    [{ binarize: 'bernoulli', seed: -1 }, 'seed -1', 'a whole number from 0'],
    [{ binarize: 'bernoulli', seed: 1.5 }, 'seed 1.5', 'a whole number from 0'],
    [{ scale: 0 }, 'scale 0', 'a number above 0'],
    [{ columns: [] }, 'an empty list of columns', 'at least one'],
    [{ oneHot: [] }, 'an empty list of oneHot', 'at least one'],
    [{ maxCells: 0 }, 'maxCells 0', 'at least 1'],
    [{ maxLineBytes: -1 }, 'maxLineBytes -1', 'at least 1'],
    [{ dimensions: 0 }, 'dimensions 0', 'at least 1'],
    [{ dimensions: 2 ** 21 }, 'dimensions 2097152', 'at most 262144'],
    [{ shape: [0, 2] }, 'height 0', 'at least 1'],
    [{ format: 'xls' }, 'the format "xls"', 'csv, tsv, data, libsvm, npy, idx'],
    [{ format: 'libsvm', oneHot: [1] }, 'one-hot columns', 'neither with libsvm', 'x.csv'],
    [{ format: 'libsvm', header: true }, 'a header', 'neither with libsvm', 'x.csv'],
    [{ format: 'libsvm', threshold: -1 }, 'a threshold below 0', 'zeros', 'x.csv'],
  ] as [ReadOptions, string, string, string?][])('%j', async (options, got, expected, where) => {
    check(await refusalOf(readContent('0,1\n', options)), ['argument', got, expected, where, '']);
    check(await refusalOf(readMaskedContent('0,1\n', options)), ['argument', got, expected, where, '']);
  });

  it('of one-hot columns in an array', async () => {
    const facts: Facts = ['argument', 'one-hot columns', 'CSV and TSV only', 'x.csv', 'save the data as CSV'];
    check(await refusalOf(readContent(idxFile([1, 1], [0]), { oneHot: [1] })), facts);
  });
});
