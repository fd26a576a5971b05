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

describe('objects of JSON', () => {
  const objects = [
    { a: 7, b: 'x, "y" }' },
    { a: 3, b: '\\ ü\n' },
  ];
  it.each([
    ['in a list', JSON.stringify(objects)],
    ['in a list over lines', JSON.stringify(objects, null, 2)],
    ['over lines, one after another', objects.map((each) => JSON.stringify(each, null, 1)).join('\n')],
    ['a line each, in a list', `[\n${objects.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`],
    ['a line each', objects.map((each) => JSON.stringify(each)).join('\r\n')],
    ['behind a mark', `\ufeff${JSON.stringify(objects)}`],
  ])('%s are the same rows', async (_, text) => {
    for (const name of ['x.json', 'upload'])
      for (const chunkBytes of [1, 7, 1000]) {
        const { columns, rows } = await readTable(text, { name, chunkBytes });
        expect(columns).toEqual(['a', 'b']);
        expect(rows).toEqual(objects.map(({ a, b }) => [a, b]));
      }
  });

  it('have digits of whole numbers beyond 2^53, and the lines above them left out', async () => {
    const { rows } = await readTable('of Ann\n[{"id": 9007199254740993},\n {"id": 2}]', { name: 'x.json', skip: 1 });
    expect(rows).toEqual([['9007199254740993'], [2]]);
  });

  it.each([
    '[{"a": NaN, "b": "NaN"}, {"a": -Infinity, "b": "x"}]',
    '{"a": NaN, "b": "NaN"}\n{"a": -Infinity, "b": "x"}',
  ])('may have numbers as Python writes them: %s', async (text) => {
    expect((await readTable(text, { name: 'x.json' })).rows).toEqual([
      [null, 'NaN'],
      [-Infinity, 'x'],
    ]);
  });
});

it.each<[string, string, Facts, Opening]>([
  [
    'a list of lists',
    '[[1, 2], [3, 4]]\n',
    ['format', '[1, 2]', 'an object for each row', 'x.json, line 1', 'orient="records"'],
    { name: 'x.json' },
  ],
  [
    'a list that does not end',
    '[{"a": 1},\n{"a": 2}\n',
    ['truncated', 'a list that does not end', 'whole objects', 'x.json', 'again'],
    { name: 'x.json' },
  ],
  [
    'an object that does not end',
    '[\n{"a": 1},\n{"a": {"b": "}"}\n',
    ['truncated', 'an object that does not end, begun on line 3', 'whole objects', 'x.json', 'again'],
    { name: 'x.json' },
  ],
  [
    'an object of another syntax in a list',
    '[\n{"a": 1},\n{a: 2}]\n',
    ['format', '{a: 2}', 'an object for each row', 'x.json, line 3', 'lines=True'],
    { name: 'x.json' },
  ],
  [
    'an object of columns',
    '{"a": {"0": 1}, "b": {"0": 2}}',
    ['column', 'one object of lists or objects: "a", "b"', 'an object for each row', 'x.json', 'orient="records"'],
    { name: 'x.json' },
  ],
  [
    'an object around the rows, as a service answers',
    '{"count": 2, "data": [{"a": 1}, {"a": 2}], "next": null}',
    [
      'column',
      'one object with a list of objects in it: "data"',
      'an object for each row',
      'x.json',
      'jq \'.["data"]\'',
    ],
    { name: 'x.json' },
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
