import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { judgedColumns, readRows } from '@orchard/analysis';
import { tableLike } from '../online/table-like.js';
import type { Terminal } from '../output/terminal.js';
import { temporaryFolder } from '../run.suite.js';

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
