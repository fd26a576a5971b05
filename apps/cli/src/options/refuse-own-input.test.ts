import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

test('a file that a command reads is not written over, by whatever name', async () => {
  const rows = 'a,b\n1,\n2,3\n';
  writeFileSync(at('rows.csv'), rows);
  writeFileSync(at('other.csv'), rows);
  symlinkSync(at('rows.csv'), at('link.csv'));
  const refused = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await orchard(...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining('which this command reads, expected another file')]);
  };
  await refused('complete', at('run'), at('rows.csv'), '--out', at('rows.csv'));
  await refused('complete', at('run'), at('rows.csv'), '--out', `${folder}/./link.csv`);
  await refused('outliers', at('rows.csv'), '--per-row', at('rows.csv'));
  await refused('evaluate', at('run'), at('other.csv'), '--usual', at('rows.csv'), '--per-row', at('rows.csv'));
  expect(readFileSync(at('rows.csv'), 'utf8')).toBe(rows);
  const other = await orchard('complete', at('run'), at('rows.csv'), '--out', at('other.csv'));
  expect(other.stderr).toContain('NETWORK: got');
  const below = await orchard('complete', at('run'), at('rows.csv'), '--out', at('other.csv/out.csv'));
  expect(below.stderr).toContain('NETWORK: got');
});
