import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../run.suite.js';
import { runCommand } from './run-command.js';

const folder = temporaryFolder();

/** Two labels that go together, but for one row. */
const rows = Array.from({ length: 200 }, (_, row): string => (row % 2 === 0 ? 'oak,tall' : 'heather,low'));
rows[40] = 'heather,tall';
writeFileSync(join(folder, 'plants.csv'), `plant,height\n${rows.join('\n')}\n`);
const caller = { signal: new AbortController().signal, onProgress: () => undefined };

it.each([
  ['outliers', ['--model', 'chow-liu', '--count', '1'], { outliers: [{ row: 41 }] }],
  // which ends with exit code 3, having found something
  ['check', [], { rows: 200, cells: [{ row: 41 }] }],
])('another program may have orchard %s run, and gets its document', async (command, words, document) => {
  const { answer } = (await runCommand(
    [command, join(folder, 'plants.csv'), ...words],
    caller,
    () => undefined,
  )) as unknown as { answer: object };
  expect(answer).toMatchObject(document);
});

it('has in its document what was left out and counted as missing, which another program does not see otherwise', async () => {
  const lines = rows.map((row, at) => `${row},${at === 7 ? 'tall' : String((at * 37) % 101)},note ${String(at)} of it`);
  writeFileSync(join(folder, 'remarks.csv'), `plant,height,petals,note\n${lines.join('\n')}\n`);
  const words = ['train', join(folder, 'remarks.csv'), '--model', 'chow-liu', '--out', join(folder, 'remarks')];
  const { answer } = (await runCommand(words, caller, () => undefined)) as unknown as { answer: object };
  expect(answer).toMatchObject({
    remarks: [
      'of "petals" 1 cell is not read as numbers, as "tall" in row 8: missing',
      '"note" is left out: its texts are mostly distinct: names or free text (--type note=… keeps it)',
    ],
  });
});

it('refuses a command that does not end by itself', async () => {
  expect(await runCommand(['serve', folder], caller, () => undefined)).toMatchObject({
    error: { got: 'the command "serve"' },
  });
});
