import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const { folder, remove } = temporaryFolder();
afterAll(remove);
const at = (name: string): string => join(folder, name);

test('orchard evaluate --worst shows the oddest rows of 0 and 1, and which columns speak against them', async () => {
  // the last column is the first; the second is a coin
  const rows = Array.from({ length: 100 }, (_, row) => [row % 2, (row >> 1) % 2, row % 2].join(','));
  writeFileSync(at('rows.csv'), `a,coin,end\n${rows.join('\n')}\n`);
  writeFileSync(at('new.csv'), 'a,coin,end\n0,0,0\n1,1,0\n1,0,1\n');
  const train = ['--model', 'chow-liu', '--threads', '1', '--quiet', '--out', at('model')];
  expect(await orchard('train', at('rows.csv'), ...train)).toMatchObject({ code: 0 });
  const { stdout } = await orchard('evaluate', at('model'), at('new.csv'), '--worst', '2', '--top', '1');
  const shown = stdout.split('\n').filter((line) => line.startsWith('row '));
  expect(shown).toHaveLength(2);
  expect(shown[0]).toMatch(/^row 2: -\d\.\d{3} nats; (end is 0|a is 1) \(\d[\d.e-]* %; expected [01]\)$/);
  const { document } = await orchard('evaluate', at('model'), at('new.csv'), '--worst', '1', '--json');
  const [worst] = document['worst'] as { row: number; reasons: { column: string; probability: number }[] }[];
  expect([worst!.row, worst!.reasons.length]).toEqual([2, 3]);
  expect(worst!.reasons[0]!.probability).toBeLessThan(0.1);
});
