import { gzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { checkRefusal as check, refused as text } from './refusals.suite.js';
import { idxFile, npyFile, readContent, refusalOf } from './reading.suite.js';

describe('values', () => {
  it.each([
    text('0,1\n0,2\n', ['value', '"2"', '0 or 1', 'x.csv, line 2, column 2', 'give a threshold, or binarize']),
    text('a,b\n0,1\n1,0.5\n', ['value', '"0.5"', '0 or 1', 'x.csv, line 3, column 2 ("b")', 'give a threshold']),
    text('0,1\n0,yes\n', ['value', '"yes"', '0 or 1', 'x.csv, line 2, column 2', 'one-hot']),
    text('0,1\n0,True\n', ['value', '"True"', '0 or 1', 'x.csv, line 2, column 2', 'Write true and false as 1 and 0.']),
    text('0,1\n0,0x1\n', ['value', '"0x1"', '0 or 1', 'x.csv, line 2, column 2', 'one-hot']),
    text('0,1\n0,Infinity\n', ['value', '"Infinity"', '0 or 1', 'x.csv, line 2, column 2', 'one-hot']),
    text('0 1\n1 1\n', ['value', '"0 1"', '0 or 1', 'x.csv, line 1, column 1', 'separated by something else'], {
      header: 'auto',
      format: 'data',
    }),
    text('0,1\n0;1,1\n', ['value', '"0;1"', '0 or 1', 'x.csv, line 2, column 1', 'separated by something else']),
    text(
      '0.1,300\n',
      ['value', '"300"', 'a probability: a number from 0 to 1', 'x.csv, line 1, column 2', 'Give the scale'],
      {
        binarize: 'bernoulli',
        seed: 1,
      },
    ),
    text(
      '0,1\n0,-1\n',
      ['value', '"-1"', 'a probability: a number from 0 to 255', 'x.csv, line 2, column 2', 'scale'],
      {
        binarize: 'bernoulli',
        seed: 1,
        scale: 255,
      },
    ),
    text('0,1\n0,x\n', ['value', '"x"', 'a number', 'x.csv, line 2, column 2', 'left out by choosing'], {
      threshold: 3,
    }),
    text('1 1:1 3:2\n', ['value', '"3:2"', '0 or 1', 'x.svm, line 1, character 7', 'threshold'], { name: 'x.svm' }),
    text(
      idxFile([2, 1, 3], [0, 1, 1, 0, 255, 0]),
      ['value', '255', '0 or 1', 'x-idx3-ubyte, row 2, column 2', 'threshold'],
      { name: 'x-idx3-ubyte' },
    ),
    text(npyFile('<i2', '(2, 2)', Uint8Array.of(0, 0, 1, 0, 1, 0, 0xff, 0xff)), [
      'value',
      '-1',
      '0 or 1',
      'x.csv, row 2, column 2',
      'threshold',
    ]),
    text(npyFile('<i2', '(2, 2)', Uint8Array.of(0, 0, 7, 0, 1, 0, 0, 0), true), [
      'value',
      '7',
      '0 or 1',
      'x.csv, row 2, column 1',
      'threshold',
    ]),
    text(npyFile('|b1', '(1, 2)', Uint8Array.of(0, 2)), [
      'value',
      '2',
      '0 or 1',
      'x.csv, row 1, column 2',
      'threshold',
    ]),
  ])('other than 0 and 1: $content', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });

  it.each([
    text('0,1\n0,?\n', ['missing-value', '"?"', 'every value known', 'x.csv, line 2, column 2', 'completion only']),
    text('a,b\n,1\n', [
      'missing-value',
      'an empty value',
      'every value known',
      'x.csv, line 2, column 1 ("a")',
      'Fill it in',
    ]),
    text('0,1\n0,nan\n', ['missing-value', '"nan"', 'every value known', 'x.csv, line 2, column 2', 'completion only']),
    text('0,1\n0,9\n', ['missing-value', '"9"', 'every value known', 'x.csv, line 2, column 2', 'completion only'], {
      missing: ['9'],
    }),
    text('a,b\n?,1\n', ['missing-value', '"?"', 'every value known', 'x.csv, line 2, column 1 ("a")', 'other marks'], {
      oneHot: ['a'],
    }),
    text('1 2:NaN\n', ['missing-value', '"2:NaN"', 'every value known', 'x.svm, line 1, character 3', 'Fill it in'], {
      name: 'x.svm',
    }),
    text(npyFile('<f4', '(1, 2)', new Uint8Array(Float32Array.of(0, NaN).buffer)), [
      'missing-value',
      'NaN',
      'every value known',
      'x.csv, row 1, column 2',
      'Fill it in',
    ]),
  ])('that are missing, in training: $content', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });

  it('of a category that the training rows do not have', async () => {
    const error = await refusalOf(readContent('a,b\nz,1\n', { oneHot: ['a'], categoriesOf: ['a=x', 'a=y', 'b'] }));
    check(error, [
      'value',
      '"z"',
      'one that the training rows have: "x", "y"',
      'x.csv, line 2, column 1 ("a")',
      'Leave',
    ]);
  });
});

describe('rows', () => {
  it.each([
    text('0,1\n0,1,1\n', ['ragged', '3 cells', '2, as on line 1', 'x.csv, line 2', 'same number of cells']),
    text('0,1\n0\n', ['ragged', '1 cell', '2, as on line 1', 'x.csv, line 2', 'same number of cells']),
    text('0,1\n0,1,\n', ['ragged', '3 cells', '2, as on line 1', 'x.csv, line 2', 'same number of cells']),
    text('a,b\n0,1\n1,1\n1,1,1', [
      'ragged',
      '3 cells',
      '2, as on line 1, which has the names',
      'x.csv, line 4',
      'same number',
    ]),
    text(`0,1\n${'\n'.repeat(2000)}1\n`, ['ragged', '1 cell', '2, as on line 1', 'x.csv, line 2002', 'same number']),
    text('1 0:1\n', ['value', '"0:1"', 'an index of at least 1', 'x.svm, line 1, character 3', 'from 1'], {
      name: 'x.svm',
    }),
    text('1 1:1\n1 3:1 2:1\n', ['value', '"2:1"', 'an index above 3', 'x.svm, line 2, character 7', 'ascending'], {
      name: 'x.svm',
    }),
    text('1 9:1\n', ['value', '"9:1"', 'an index of at most 8', 'x.svm, line 1, character 3', 'dimensions'], {
      name: 'x.svm',
      dimensions: 8,
    }),
    text(
      '1 9999999999:1\n',
      ['value', '"9999999999:1"', 'an index of at most 262144', 'x.svm, line 1, character 3', ''],
      {
        name: 'x.svm',
      },
    ),
    text('1 x:1\n', ['value', '"x:1"', 'an index of at least 1', 'x.svm, line 1, character 3', 'from 1'], {
      name: 'x.svm',
    }),
  ])('out of form: $content', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });

  it.each([
    text('', ['empty', 'an empty file', 'at least one row', 'x.csv', 'the right file']),
    text(gzipSync(''), ['empty', 'an empty file', 'at least one row', 'x.csv', 'the right file']),
    text('\n\n', ['empty', 'no line with values', 'at least one row', 'x.csv', 'the right file']),
    text('a,b\n', ['empty', 'no rows', 'at least one', 'x.csv', 'the right file']),
    text('a,b\n', ['empty', 'no rows', 'at least one', 'x.csv', 'the right file'], { oneHot: ['a'] }),
    text('# nothing\n', ['empty', 'no rows', 'at least one', 'x.svm', 'the right file'], { name: 'x.svm' }),
    text(npyFile('|u1', '(0, 3)', Uint8Array.of()), [
      'empty',
      'the shape (0, 3)',
      'at least one',
      'x.csv',
      'right array',
    ]),
    text(npyFile('|u1', '(3, 0)', Uint8Array.of()), [
      'empty',
      'the shape (3, 0)',
      'one row of one value',
      'x.csv',
      'right array',
    ]),
    text(idxFile([0, 2, 2], []), ['empty', 'no rows', 'at least one', 'x.csv', 'the right file']),
    text(idxFile([2, 0, 2], []), ['empty', 'rows of 0 x 2 values', 'one value a row', 'x.csv', 'the right file']),
  ])('of which there are none: $facts.1', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });
});

describe('headers and columns', () => {
  it.each([
    text('a,b\n0,1\n', ['header', '"a"', '0 or 1', 'x.csv, line 1, column 1', 'read it with a header'], {
      header: false,
    }),
    text(
      '0,1\n1,1\n',
      ['header', 'the values "0", "1"', 'the names of the columns', 'x.csv, line 1', 'read it without one'],
      {
        header: true,
      },
    ),
    text('0.1,0.2,0.3\n', ['header', 'the values', 'the names', 'x.csv, line 1', 'without one'], {
      header: true,
      threshold: 0.2,
    }),
    text('1,2,3\n', ['header', 'the numbers "1", "2", "3"', 'plainly', 'x.csv, line 1', 'Say whether'], {
      threshold: 2,
    }),
    text('a,1,2,3\n', ['header', '"a" among numbers', 'plainly', 'x.csv, line 1', 'Say whether'], { threshold: 2 }),
    text('x,y\nx,z\n', ['header', 'the words "x", "y"', 'plainly', 'x.csv, line 1', 'Say whether'], { oneHot: [1, 2] }),
    text('0,b,1\n', ['value', '"b"', '0 or 1', 'x.csv, line 1, column 2', 'If line 1 holds names']),
    text('a,b,a\n0,1,1\n', [
      'column',
      'the name "a" again, as of column 1',
      'of its own',
      'x.csv, line 1, column 3',
      'apart',
    ]),
    text(',a\n0,1\n', [
      'column',
      'a column without a name',
      'of its own',
      'x.csv, line 1, column 1',
      'choose the ones',
    ]),
    text(
      'a,b\n0,1\n',
      ['column', 'the column "c"', 'from 1 to 2 or one of "a", "b"', 'x.csv, line 1', 'Columns: "a", "b".'],
      {
        columns: ['c'],
      },
    ),
    text('0,1\n', ['column', 'the column "a"', 'a number from 1 to 2', 'x.csv, line 1', 'by number'], {
      columns: ['a'],
    }),
    text('0,1\n', ['column', 'the column 0', 'a number from 1 to 2', 'x.csv, line 1', 'by number'], { columns: [0] }),
    text('0,1\n', ['column', 'the column "2-3"', 'a number from 1 to 2', 'x.csv, line 1', ''], { columns: ['2-3'] }),
    text('0,1\n', ['column', 'column 2 twice', 'every column once', 'x.csv, line 1', 'repetition'], {
      columns: [2, '1-2'],
    }),
    text(
      'a,b,a\n0,1,1\n',
      ['column', 'the column "a", a name of several', 'one column', 'x.csv, line 1', 'by its number'],
      {
        columns: ['a'],
      },
    ),
    text('a,b\n0,1\n', ['column', 'the one-hot column "b"', 'one of the chosen', 'x.csv, line 1', 'Choose it too'], {
      columns: ['a'],
      oneHot: ['b'],
    }),
    text(npyFile('|u1', '(1, 2)', Uint8Array.of(0, 1)), ['column', 'the column 3', '1 to 2', 'x.csv', 'by number'], {
      columns: [3],
    }),
  ])('that are not what they seem: $facts.1', async ({ content, facts, options }) => {
    check(await refusalOf(readContent(content, options)), facts);
  });

  it('with one category too many', async () => {
    const lines = Array.from({ length: 70_000 }, (_, row) => `v${row}\n`).join('');
    const error = await refusalOf(readContent(`id\n${lines}`, { oneHot: ['id'] }));
    check(error, [
      'limit',
      'more than 65535 categories',
      'few distinct',
      'x.csv, line 65537, column 1 ("id")',
      'Leave',
    ]);
  });

  it('with a shape that does not fit', async () => {
    for (const content of ['0,1,1\n', idxFile([1, 3], [0, 1, 1])])
      check(await refusalOf(readContent(content, { shape: [2, 2] })), [
        'argument',
        'the shape 2x2',
        'height x width = 3',
        undefined,
        'Give the shape',
      ]);
  });
});
