import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const stream = new RandomStream(21, 1000);
const words = argv`--usual ${at('usual.csv')} --alarms 1/50`;

/** Sizes with their prices; the price is so many times the usual one. */
function write(name: string, rows: number, times = 1): void {
  const lines = Array.from({ length: rows }, () => {
    const size = 10 + 40 * stream.uniform();
    return `${size.toFixed(1)},${(times * (2 * size + 4 * stream.uniform())).toFixed(1)},${stream.below(3)}`;
  });
  writeFileSync(at(name), `size,price,shop\n${lines.join('\n')}\n`);
}

describe('orchard outliers --baseline', () => {
  beforeAll(async () => {
    write('train.csv', 600);
    write('usual.csv', 200);
    write('new.csv', 300);
    write('dearer.csv', 300, 1.5);
    const { code, stderr } = await orchard(
      ...argv`train ${at('train.csv')} --model chow-liu --out ${at('run')} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  }, 60_000);
  const found = (file: string, ...more: readonly string[]) =>
    orchard(...argv`outliers ${at(file)} --baseline ${at('run')}`, ...more);

  it('scores rows as evaluate does, and trains nothing', async () => {
    const { document } = await found('new.csv', '--json');
    const evaluated = await orchard(...argv`evaluate ${at('run')} ${at('new.csv')} --worst 10 --json`);
    expect(document).toEqual(evaluated.document);
    expect(document['worst']).toHaveLength(10);
  });

  it('raises alarms at the rate of usual rows, and names the columns that drift beside them', async () => {
    const usual = await found('new.csv', ...words, '--json');
    expect((usual.document['alarms'] as { rows: number[] }).rows.length).toBeLessThanOrEqual(16);
    const drifted = (usual.document['drift'] as { column: string }[]).map(({ column }) => column);
    expect(drifted).not.toContain('price');
    const { stdout } = await found('dearer.csv', ...words);
    expect(stdout).toMatch(/column price has drifted: distance/);
  });

  it('refuses options of training beside it, and alarm words without it', async () => {
    const refused = async (...said: readonly string[]): Promise<string> => {
      const { code, stderr } = await orchard('outliers', at('new.csv'), ...said);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('--baseline', at('run'), '--folds', '3')).toContain('--folds and --baseline');
    expect(await refused('--baseline', at('run'), '--rounds', '9')).toContain('--rounds and --baseline');
    expect(await refused(...words)).toContain('Add --baseline RUN');
  });
});
