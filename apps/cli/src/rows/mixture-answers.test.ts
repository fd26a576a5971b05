import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const kinds = ['red', 'green', 'blue'];
const rows = Array.from({ length: 300 }, (_, row) => [kinds[row % 3], kinds[(row * 7) % 3], kinds[(row >> 3) % 3]]);
writeFileSync(at('table.csv'), `a,b,c\n${rows.map((row) => row.join(',')).join('\n')}\n`);

test('inspect says what boosted trees of a table answer as a mixture, not what each tree answers by itself', async () => {
  const words = ['--model', 'boosted', '--no-report', '--quiet', '--threads', '1'];
  expect(await orchard('train', at('table.csv'), ...words, '--out', at('boosted'))).toMatchObject({ code: 0 });
  const { stdout } = await orchard('inspect', at('boosted'));
  if (!/^family +mixture$/m.test(stdout)) throw new Error(`Not a mixture:\n${stdout}`);
  expect(stdout).toMatch(/^answers +exactly: likelihoods, samples; conditionals and completions from samples$/m);
  expect(stdout.match(/answers/g)).toHaveLength(1);
});
