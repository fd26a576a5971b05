import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();

const bits = join(folder, 'bits.csv');
writeFileSync(bits, Array.from({ length: 40 }, (_, row) => `${String(row % 2)},${String((row >> 1) % 2)}\n`).join(''));

test.each([
  ['--leaves alone', ['--leaves', '4'], true],
  ['both options', ['--leaves', '4', '--feature-fraction', '0.5'], false],
  ['a preset that looks at all predictors', ['--preset', 'paper', '--leaves', '4'], false],
  ['leaves that are searched', ['--leaves', 'auto'], false],
])('what share of the predictors is looked at is said with %s: %j', async (_, options, isSaid) => {
  const out = join(folder, options.join(' '));
  const { code, stderr } = await orchard('train', bits, '--out', out, '--rounds', '2', '--no-report', ...options);
  expect(code).toBe(0);
  expect(stderr.includes('each tree splits on 0.5 of the predictors')).toBe(isSaid);
});
