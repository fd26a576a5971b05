import { perRowOption } from './repeated-options.js';
import { expect, test } from 'vitest';

test('a listing under the name of a workbook or none is refused before the work; other names are taken', () => {
  const { parseArg } = perRowOption('writes a line for each row');
  for (const name of ['scores.xlsx', 'SCORES.XLS', 'scores.ods', '-', ''])
    expect(() => parseArg!(name, undefined)).toThrow(expect.objectContaining({ where: '--per-row' }) as Error);
  for (const name of ['scores.csv', 'scores.parquet', 'scores', '/dev/stdout'])
    expect(parseArg!(name, undefined)).toBe(name);
});
