import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { judgedColumns, readRows } from '@orchard/analysis';
import { tableLike } from '../commands/online/table-like.js';
import type { Terminal } from '../output/terminal.js';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const file = join(folder, 'sales.csv');
const countries = ['ZA', 'NA', 'BW', '', 'NL'];
const lines = Array.from({ length: 60 }, (_, row) => `${countries[row % 5]!},${'pqr'[row % 3]!}`);
writeFileSync(file, `country,size\n${lines.join('\n')}\n`);

it('NA beside empty cells is a label where a stream learns its columns from a file', async () => {
  const remarks: string[] = [];
  const terminal = { remark: (text: string) => remarks.push(text) } as unknown as Terminal;
  const { variables } = await tableLike(file, terminal);
  expect(variables[0]).toMatchObject({ name: 'country', holes: 12 });
  expect(variables[0]!.kind !== 'ordered' && variables[0]!.labels).toContain('NA');
  expect(remarks.join('\n')).toContain('12 cells "NA" are a label');
});

it('NA beside empty cells is a label where samples are judged, in the training file and in the others', async () => {
  const raw = await openTable(file);
  try {
    const columns = await judgedColumns(raw, {});
    expect(columns.table.variables[0]!.holes).toBe(12);
    const read = await readRows(raw, columns, { most: 100, seed: 0 });
    const country = read.columns[0]!;
    const codes = country.kind === 'number' ? [] : [...country.values];
    expect(codes.filter((code) => code < 0)).toHaveLength(12);
  } finally {
    await raw.close();
  }
});

it(
  'NA beside empty cells stays where missing values are filled in, in a text and in a typed file',
  { timeout: 120_000 },
  async () => {
    const run = join(folder, 'run');
    await orchard(...argv`train ${file} --model chow-liu --out ${run} --quiet --no-report`);
    const filled = join(folder, 'filled.csv');
    for (const other of ['filled.parquet', 'filled.csv'])
      expect((await orchard('complete', run, file, '--out', join(folder, other))).code).toBe(0);
    const countryOf = (line: string): string => line.split(',')[0]!;
    const after = readFileSync(filled, 'utf8').trim().split('\n').slice(1).map(countryOf);
    expect(lines.map(countryOf).map((country, row) => country || after[row])).toEqual(after);
    expect(after).not.toContain('');
    const { stdout } = await orchard('describe', join(folder, 'filled.parquet'), '--json');
    expect(stdout).toContain('BW, NA');
  },
);
