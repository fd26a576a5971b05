import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';
import type { Outlier } from '@orchard/model';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const noise = (row: number, salt: number): number => {
  const wild = Math.sin(row * 12.9898 + salt * 78.233) * 43758.5453;
  return wild - Math.floor(wild);
};

/** Shops of ten, a hundred and a thousand a day, the last of them few; one of a thousand sold a hundred. */
const rows = Array.from({ length: 400 }, (_, row) => {
  const shop = row % 10 === 3 ? 'large' : row % 2 === 0 ? 'small' : 'medium';
  const usual = { small: 10, medium: 100, large: 1000 }[shop]!;
  return [(usual * (0.8 + 0.4 * noise(row, 1))).toFixed(1), shop, (10 * noise(row, 2)).toFixed(1)];
});
rows[203]![0] = '101.5';
writeFileSync(at('sales.csv'), `sold,shop,other\n${rows.map((cells) => cells.join(',')).join('\n')}\n`);

describe('orchard outliers --given-columns', () => {
  const words = argv`--rounds 60 --leaves 4 --threads 1 --count 12`;

  it('finds what is usual of others and unusual for its group, and names no given column as a reason', async () => {
    const { code, document } = await orchard(...argv`outliers ${at('sales.csv')} --given-columns shop --json ${words}`);
    expect([code, document['model'], document['smallModels']]).toEqual([0, 'tables', 0]);
    expect(document['givenColumns']).toEqual(['shop']);
    const outliers = document['outliers'] as Outlier[];
    expect(outliers[0]!.row).toBe(204);
    expect(outliers[0]!.cells[0]).toMatchObject({ column: 'sold', value: '101.5' });
    for (const { cells } of outliers) expect(cells.map(({ column }) => column)).not.toContain('shop');
  });

  it('is refused by name where it cannot be', async () => {
    const refused = async (...said: string[]): Promise<string> => {
      const { code, stderr } = await orchard('outliers', at('sales.csv'), ...said);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('--given-columns', 'shops')).toContain('Did you mean "shop"?');
    expect(await refused('--given-columns', 'shop,sold,other')).toContain('every column');
    expect(await refused('--given-columns', 'shop', '--model', 'chow-liu')).toContain('--model tables');
    expect(await refused('--given-columns', 'shop', '--small-models')).toContain('Leave one of the two out');
  });
});

describe('orchard evaluate --given-columns', () => {
  it('asks a model that predicts by these columns first, and refuses another with what to train it by', async () => {
    const train = argv`train ${at('sales.csv')} --rounds 60 --leaves 4 --threads 1 --quiet`;
    const natural = argv`--members 1 --out ${at('natural')}`;
    expect((await orchard(...train, ...natural)).stderr).toBe('');
    const { code, stderr } = await orchard(
      ...argv`evaluate ${at('natural')} ${at('sales.csv')} --worst 3 --given-columns shop`,
    );
    expect(code).toBe(2);
    expect(stderr).toContain('--ordering first:shop.');
    const ordered = argv`--ordering first:shop --out ${at('ordered')}`;
    expect((await orchard(...train, ...ordered)).stderr).toBe('');
    // the second is usual of small shops
    writeFileSync(at('new.csv'), 'sold,shop,other\n100,medium,5\n10.2,medium,5\n10.2,small,5\n');
    const { document } = await orchard(
      ...argv`evaluate ${at('ordered')} ${at('new.csv')} --worst 3 --given-columns shop --json`,
    );
    const worst = document['worst'] as Outlier[];
    expect(worst[0]!.row).toBe(2);
    const scoreOf = (row: number): number => worst.find((one) => one.row === row)!.score;
    expect(scoreOf(2)).toBeGreaterThan(scoreOf(1) + 1);
    expect((await orchard(...argv`evaluate ${at('ordered')} ${at('new.csv')} --given-columns shop`)).code).toBe(2);
  });
});
