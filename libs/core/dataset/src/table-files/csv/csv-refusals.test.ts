import { expect, it } from 'vitest';
import { refusalOf } from '../../bit-files/reading.suite.js';
import { checkRefusal, type Facts } from '../../bit-files/refusals.suite.js';
import { readTable, spools, type Opening } from '../opening.suite.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

it.each<[string, string | Uint8Array, Facts, Opening]>([
  ['an empty file', '', ['empty', 'an empty file', 'at least one row', 'x.csv', 'right file'], {}],
  ['blank lines', ' \n\n', ['empty', 'no line with values', 'at least one row', 'x.csv', 'right file'], {}],
  ['a header alone', 'a,b\n', ['empty', 'names ("a", "b") and no row', 'at least one row', 'x.csv', 'header'], {}],
  [
    'a row too short',
    'a,b,c\n1,2,3\n4,5\n',
    ['ragged', '2 cells', '3, as on line 1, which has the names', 'x.csv, line 3', '(",")'],
    {},
  ],
  [
    'a last row too short, without a line end',
    'a,b,c\n1,2,3\n4,5',
    ['ragged', '2 cells', '3, as on line 1, which has the names', 'x.csv, line 3', 'ends within this line'],
    {},
  ],
  [
    'a row too long',
    '1;2\n4;5\n6;7;8\n',
    ['ragged', '3 cells', '2, as on line 1', 'x.csv, line 3', '(";")'],
    { header: false },
  ],
  [
    'a row too long behind line ends in quotes',
    'a,b\n"x\ny",1\nz,2\nz,"\r\n",3\n',
    ['ragged', '3 cells', '2', 'x.csv, line 5', 'in quotes'],
    {},
  ],
  [
    'a row too short behind empty lines',
    'a,b\n1,2\n\n\n3\n',
    ['ragged', '1 cell', '2', 'x.csv, line 5', 'same number'],
    {},
  ],
  [
    'a line between values of one column',
    'a\n1\n\n3\n',
    ['ragged', 'an empty line', 'a value', 'x.csv, line 3', 'write NA'],
    {},
  ],
  [
    'a delimiter behind a backslash',
    'a,b\n1,2\n3,x\\, y\n',
    ['ragged', '3 cells', '2', 'x.csv, line 3', 'backslash'],
    {},
  ],
  [
    'delimiters behind a backslash',
    'city,note\nBonn,x\\, y\nKiel,z\\, w\n',
    ['header', 'a line above the table', 'as many as in the rows below', 'x.csv, line 1', 'backslash'],
    {},
  ],
  [
    'rows that end in a delimiter',
    'a,b\n1,2,\n3,4,\n',
    ['ragged', 'rows that end in a delimiter', 'as many cells as names', 'x.csv, line 2', 'Remove'],
    {},
  ],
  [
    'an open quote',
    'a,b\n1,"2\n3,4\n',
    [
      'format',
      'a quote that is not closed before the end',
      '"text"',
      'x.csv, line 2, column 2 ("b")',
      'Close the quote',
    ],
    {},
  ],
  [
    'an open quote in line 1',
    '"a,b\n1,2\n',
    ['format', 'a quote that is not closed', '"text"', 'x.csv, line 1, column 1', 'Close the quote'],
    {},
  ],
  [
    'text behind a quote',
    'a,b\n1,"2"3\n',
    ['format', 'text behind a closing quote', '"text"', 'x.csv, line 2, column 2 ("b")', 'double'],
    {},
  ],
  [
    'a quote behind a backslash',
    'a,b\n1,"say \\"2\\""\n',
    [
      'format',
      'text behind a closing quote',
      '"text"',
      'x.csv, line 2, column 2 ("b")',
      'If a backslash stands before them, say so',
    ],
    {},
  ],
  [
    'a decimal point among commas',
    'a;b\n1,5;x\n1.23;y\n',
    ['value', '"1.23"', 'a decimal comma', 'x.csv, line 3, column 1 ("a")', 'without it'],
    { decimal: ',' },
  ],
  [
    'Latin-1',
    latin1('name,n\nZoë,1\nJos\xe9,2\n'.replace('ë', 'e')),
    ['encoding', '"Jos\u00e9" if it is windows-1252', 'UTF-8', 'x.csv, line 3', 'windows-1252 ("Jos\u00e9")'],
    {},
  ],
  [
    'UTF-16 without its mark',
    Buffer.from('a,b\n1,2\n', 'utf16le'),
    ['encoding', 'UTF-16 without its mark', 'UTF-8', 'x.csv', 'Or say that it is utf-16le.'],
    {},
  ],
  [
    'a row too large',
    'a,b\n1,22222222\n',
    ['limit', 'a row of more than 8 bytes', 'none longer', 'x.csv, line 2', 'raise the limit'],
    { maxLineBytes: 8 },
  ],
  [
    'a quote too large',
    'a,b\n1,"2\n3\n4\n5\n6\n7"\n',
    ['limit', 'a row of more than 8 bytes', 'none longer', 'x.csv, line 2', 'close every quote'],
    { maxLineBytes: 8 },
  ],
])('refused: %s', async (_, content, facts, options) => {
  checkRefusal(await refusalOf(readTable(content, options)), facts);
  checkRefusal(await refusalOf(readTable(content, { ...options, chunkBytes: 3 })), facts);
  // nothing is left behind
  expect(spools()).toEqual([]);
});

it.each<[string, Opening, string, string]>([
  ['format', { format: 'xml' as 'csv' }, 'the format "xml"', 'csv'],
  ['delimiter', { delimiter: '||' }, 'the delimiter "||"', 'one character'],
  ['names', { names: [] }, 'an empty list of names', 'one name a column'],
  ['names', { names: ['a', 'b', 'a'] }, 'the name "a" twice', 'a name of its own'],
  ['names', { names: ['a', ''] }, 'an empty name', 'a name for each column'],
  ['maxLineBytes', { maxLineBytes: 0 }, 'maxLineBytes 0', 'at least 1'],
])('refused: %s %j', async (_, options, got, expected) => {
  const error = await refusalOf(readTable('a,b\n1,2\n', options));
  expect(error).toMatchObject({ code: 'argument', got, expected: expect.stringContaining(expected) as unknown });
});
