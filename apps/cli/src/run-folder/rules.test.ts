import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saidRules, showRuledScores } from './rules.js';

it('takes rules of the command line and of a file, whose remarks and empty lines are none', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'orchard-rules-')), 'rules.txt');
  writeFileSync(file, '# of the survey\nstart <= end\r\n\n  age >= 0\n');
  expect(saidRules({ rule: ['a < b'], rules: file })).toEqual(['a < b', 'start <= end', 'age >= 0']);
  expect(saidRules({})).toEqual([]);
  expect(() => saidRules({ rules: `${file}.lost` })).toThrow('--rules: got');
});

it('names the rows that break a rule', () => {
  const lines: string[] = [];
  const terminal = { result: (line: string) => lines.push(line) } as never;
  const first = [3, 5, 8, 9, 12, 13, 20, 21, 22, 23];
  const rules = [
    { rule: 'start <= end', broken: 1200, first },
    { rule: 'age >= 0', broken: 1, first: [7] },
    { rule: 'a < b', broken: 0, first: [] },
  ];
  showRuledScores({ rules, followed: { rows: 99, logLikelihood: -3.5 } }, terminal);
  expect(lines).toEqual([
    '1,200 rows break start <= end: rows 3, 5, 8, 9, 12, 13, 20, 21, 22, 23 and 1,190 more',
    '1 row breaks age >= 0: row 7',
    '0 rows break a < b',
    'under the rules -3.500 nats per row, of 99 rows that follow them',
  ]);
});
