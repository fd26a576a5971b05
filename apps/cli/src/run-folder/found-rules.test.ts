import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const file = join(folder, 'sales.csv');
const rows = Array.from({ length: 900 }, (_, row) => {
  const [price, tax] = [(row * 3701) % 4999, (row * 1103) % 997];
  return [price, tax, price + tax, 'ab'[row % 2]].join(',');
});
writeFileSync(file, `price,tax,total,kind\n${rows.join('\n')}\n`);
const RULE = 'total = price + tax in all 810 rows that were looked at: as a rule, it holds in samples too';
let runs = 0;
const train = async (...words: string[]): Promise<string> => {
  const out = join(folder, `run-${String(runs++)}`);
  return (await orchard(...argv`train ${file} --model marginals --out ${out} --no-report`, ...words)).stderr;
};

it('a sum that all rows keep is offered as a rule in training', async () => {
  expect(await train()).toContain(RULE);
  expect(await train('--rule', 'price <= total')).toContain(RULE);
});

it('but not where it is one, however it is said', async () => {
  for (const rule of ['total = price + tax', 'tax + price = total', 'price = total - tax'])
    expect(await train('--rule', rule)).not.toContain('as a rule');
});

it.each([['classify'], ['outliers'], ['check']])('nor by %s, which samples nothing', async (command) => {
  const words = command === 'classify' ? ['--by', 'kind', '--test', file] : ['--folds', '2'];
  const { stderr, code } = await orchard(command, file, '--model', 'marginals', ...words);
  expect([0, 3], stderr).toContain(code);
  expect(stderr).toContain('a table of');
  expect(stderr).not.toContain('as a rule');
});
