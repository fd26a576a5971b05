import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, rowsIn, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const stream = new RandomStream(4, 1000);
/** The second column is mostly as the first. */
const lines = Array.from({ length: 600 }, () => {
  const first = stream.below(2);
  return [first, stream.uniform() < 0.9 ? first : 1 - first, stream.below(2)].join(',');
});
writeFileSync(at('bits.csv'), `smokes,drinks,sleeps\n${lines.join('\n')}\n`);

describe.each([
  ['chow-liu', ['--model', 'chow-liu'], 'each part is sampled by itself, exactly'],
  ['lbarn', ['--rounds', '30'], ''],
])('shares of rows of 0 and 1, of %s', (kind, words, how) => {
  beforeAll(async () => {
    const { code, stderr } = await orchard(
      ...argv`train ${at('bits.csv')} ${words} --out ${at(kind)} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  }, 60_000);
  const sampled = async (...shares: readonly string[]) => {
    const asked = shares.flatMap((one) => ['--shares', one]);
    const { stdout, stderr } = await orchard('sample', at(kind), '--count', '500', '--out', '-', ...asked);
    const rows = rowsIn(stdout).map((cells) => cells.map(Number));
    return {
      stderr,
      shareOf: (column: number) => rows.reduce((sum, row) => sum + row[column]!, 0) / rows.length,
      rows,
    };
  };

  it('are as asked of one column, and what goes with it follows', async () => {
    const { shareOf, rows, stderr } = await sampled('smokes=1:.2,0:.8');
    expect(rows).toHaveLength(500);
    expect(shareOf(0)).toBeCloseTo(0.2, 2);
    expect(shareOf(1)).toBeGreaterThan(0.18);
    expect(shareOf(1)).toBeLessThan(0.35);
    expect(stderr).toContain(how);
  });

  it('are as asked of two together', async () => {
    const { shareOf, stderr } = await sampled('smokes=1:.2,0:.8', 'drinks=1:.4,0:.6');
    expect(shareOf(0)).toBeCloseTo(0.2, 2);
    expect(shareOf(1)).toBeCloseTo(0.4, 2);
    expect(stderr).toMatch(/worth [\d,]+ independent ones/);
  });

  it('are refused where they are not 1, and beside --given', async () => {
    const run = (...words: readonly string[]) => orchard('sample', at(kind), '--count', '5', '--out', '-', ...words);
    const few = await run('--shares', 'smokes=1:.2');
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining('0.2 together')]);
    const both = await run('--shares', 'smokes=1:.2,0:.8', '--given', 'drinks=1');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--shares and --given')]);
  });
});
