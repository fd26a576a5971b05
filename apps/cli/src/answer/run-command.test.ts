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

it('refuses a command that does not end by itself', async () => {
  expect(await runCommand(['serve', folder], caller, () => undefined)).toMatchObject({
    error: { got: 'the command "serve"' },
  });
});
