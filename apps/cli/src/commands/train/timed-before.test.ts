import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '@orchard/registry';
import { afterEach, expect, it, vi } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const rows = join(folder, 'rows.csv');
writeFileSync(rows, `a,b\n${'x,0\nx,1\ny,0\ny,2\n'.repeat(5000)}`);

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['with notes', [], 1],
  ['with a document', ['--quiet', '--json'], 1],
  ['with neither', ['--quiet'], 0],
] as const)(
  'decisions of many rows are timed before training only where the time is printed: %s',
  async (_, words, times) => {
    const timing = vi.spyOn(families.named('tables').needs!, 'seconds').mockResolvedValue({ least: 60, most: 120 });
    const run = await orchard(
      ...argv`train ${rows} --model tables --rounds 1 --members 1 --no-report --force --out ${join(folder, words.join(''))} ${words}`,
    );
    expect(run.code).toBe(0);
    expect(timing).toHaveBeenCalledTimes(times);
    expect(run.stderr.includes('takes ')).toBe(words.length === 0);
  },
);
