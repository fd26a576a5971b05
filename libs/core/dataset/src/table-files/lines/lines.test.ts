import { describe, expect, it } from 'vitest';
import { profileTable } from '../../table/infer-table.js';
import { openTable } from '../open-table.js';
import { refusalOf, sourceOf } from '../../bit-files/reading.suite.js';
import { checkRefusal, type Facts } from '../../bit-files/refusals.suite.js';
import { fixture, readTable, spools, type Opening } from '../opening.suite.js';

describe('JSON lines', () => {
  it('of pandas have the cells that pandas had', async () => {
    const read = await readTable(fixture('pandas.jsonl'));
    expect(read).toMatchObject({ format: 'jsonl', hasHeader: true, notes: [] });
    expect(read.columns.slice(0, 4)).toEqual(['city', 'smoker', 'children', 'height']);
    expect(read.rows.map((row) => row.slice(0, 4))).toEqual([
      ['Kiel', true, 0, 1.82],
      ['Lund', false, 2, 1.75],
      [null, true, null, null],
      ['Kiel', false, 1, 1.64],
      ['Århus', true, 3, 1.7],
    ]);
    expect(read.rows[0]!.at(-1)).toBe('9007199254740993');
  });

  it('have the keys of all rows, in the order in which they come, and holes where a row has none', async () => {
    const read = await readTable('\uFEFF{"b": 1}\r\n\r\n{"a": "x", "b": null}\n{"c": false}', {
      name: 'upload',
      chunkBytes: 3,
    });
    expect(read.columns).toEqual(['b', 'a', 'c']);
    expect(read.rows).toEqual([
      [1, null, null],
      [null, 'x', null],
      [null, null, false],
    ]);
  });
});

describe('JSON lines with lists or objects in some cells', () => {
  const open = () => openTable(sourceOf('{"a": 1, "tags": null}\n{"a": 2, "tags": [1], "at": {"x": 1}}\n', 'x.jsonl'));

  it('have those columns without cells, and what they are', async () => {
    const table = await open();
    expect([table.columns, table.unreadable]).toEqual([
      ['a', 'tags', 'at'],
      new Map([
        [1, 'lists or objects'],
        [2, 'lists or objects'],
      ]),
    ]);
    for await (const { columns } of table.batches()) expect(columns).toEqual([[1, 2], [], []]);
    await table.close();
  });

  it('are learned without them, with the reason, and refused where strict', async () => {
    const table = await open();
    const { kinds } = await profileTable(table, {});
    expect(kinds.slice(1)).toEqual([UNREAD, UNREAD]);
    await expect(profileTable({ ...table, isStrict: true }, {})).rejects.toMatchObject({
      code: 'format',
      got: 'lists or objects',
    });
    await table.close();
  });
});

const UNREAD = { kind: 'excluded', why: 'its cells are lists or objects' };

describe('libsvm as a table', () => {
  it('has zeros where nothing is written, and says what it leaves', async () => {
    const read = await readTable('# remark\n1 qid:3 1:0.5 3:2 # x\n-1 2:NaN\n', { name: 'x.svm', chunkBytes: 5 });
    expect(read).toMatchObject({ format: 'libsvm', columns: ['column 1', 'column 2', 'column 3'] });
    expect(read.rows).toEqual([
      [0.5, 0, 2],
      [0, NaN, 0],
    ]);
    expect(read.notes).toContain('The labels at the beginning of the rows are not read.');
  });

  it('may count from 0 where it is said', async () => {
    const read = await readTable('1 0:5 2:7\n', { name: 'upload', zeroBased: true, names: ['a', 'b', 'c'] });
    expect([read.columns, read.rows]).toEqual([['a', 'b', 'c'], [[5, 0, 7]]]);
  });
});

it.each<[string, string, Facts, Opening]>([
  [
    'a list',
    '[\n{"a": 1}\n]\n',
    ['format', '"["', 'one object per line', 'x.jsonl, line 1', 'lines=True'],
    { name: 'x.jsonl' },
  ],
  [
    'an object over lines',
    '{"a":\n1}\n',
    ['format', '{', 'one object per line', 'x.jsonl, line 1', 'jq -c'],
    { name: 'x.jsonl' },
  ],
  [
    'a list without a name',
    '[{"a": 1}]',
    ['format', '[{', 'one object per line', 'upload, line 1', 'jq -c'],
    { name: 'upload' },
  ],
  ['objects without keys', '{}\n', ['empty', 'no row', 'one row', 'x.jsonl', 'right file'], { name: 'x.jsonl' }],
  [
    'an index 0',
    '1 0:1\n',
    [
      'value',
      '"0:1"',
      'at least 1',
      'x.svm, line 1, character 3',
      'If they count from 0 in this file, say so (--zeroBased).',
    ],
    { name: 'x.svm', wordFor: (option) => `--${option}` },
  ],
  [
    'indexes not in order',
    '1 2:1 2:1\n',
    ['value', '"2:1"', 'an index above 2', 'x.svm, line 1, character 7', 'ascending'],
    { name: 'x.svm' },
  ],
  [
    'a word for a value',
    '1 2:x\n',
    ['value', '"2:x"', 'a number', 'x.svm, line 1, character 3', 'Correct'],
    { name: 'x.svm' },
  ],
  [
    'a word for a label',
    'yes 2:1\n',
    ['value', '"yes"', 'label', 'x.svm, line 1, character 1', 'label index:value'],
    { name: 'x.svm' },
  ],
  [
    'no pair',
    '1 2\n',
    ['value', '"2"', 'index:value', 'x.svm, line 1, character 3', 'label index:value'],
    { name: 'x.svm' },
  ],
  [
    'a long line',
    '1 1:1\n1 1:1 2:1\n',
    ['limit', 'more than 8 bytes', 'none longer', 'x.svm, line 2', 'raise'],
    { name: 'x.svm', maxLineBytes: 8 },
  ],
])('refused: %s', async (_, text, facts, options) => {
  checkRefusal(await refusalOf(readTable(text, options)), facts);
  expect(spools()).toEqual([]);
});
