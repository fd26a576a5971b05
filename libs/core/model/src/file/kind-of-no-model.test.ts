import { expect, it } from 'vitest';
import { kindOfNoModel } from './kind-of-no-model.js';

it.each([
  ['', 'empty'],
  ['\x1f\x8b\x08', 'compressed by gzip'],
  ['\x93NUMPY\x01', 'a NumPy array'],
  ['\0\0\x08\x03', 'an IDX file'],
  ['PAR1\x15', 'a Parquet file'],
  ['ARROW1\0\0', 'an Arrow file'],
  ['PK\x03\x04\x14', 'a zip archive or a workbook'],
  ['\x89PNG\r\n\x1a\n', 'a picture'],
  ['\xff\xd8\xff\xe0', 'a picture'],
  ['%PDF-1.4\n%\xe2\xe3', 'a PDF document'],
  ['a,b\n1,2\n', 'text that begins with "a,b"'],
  ['\x88\xa5magic\0', null],
])('what begins with %j is %s', (head, kind) => {
  expect(kindOfNoModel(Buffer.from(head, 'latin1'))).toBe(kind);
});
