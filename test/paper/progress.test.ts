import { folderOfTest } from '@orchard/storage/testing';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const runs = new URL('runs.mjs', import.meta.url).href;
const data = fileURLToPath(new URL('../data', import.meta.url));

test(
  'npm run paper shows how far each training is: its first part takes most of an hour',
  { tags: 'nightly' },
  async () => {
    const keep = folderOfTest();
    const train = `
    const { filesOf, Runs } = await import(${JSON.stringify(runs)});
    await new Runs(${JSON.stringify(keep)}, 1).singleTree('dna', filesOf('dna', ${JSON.stringify(data)}));`;
    const program = spawn(process.execPath, ['--input-type=module', '-e', train], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    program.stderr.on('data', (text: Buffer) => (said += String(text)));
    expect(await new Promise((ended) => program.on('close', ended))).toBe(0);
    expect(said).toMatch(/^paper: dna: single trees$/m);
    expect(said).toMatch(/\btraining \d+\/180\b/);
  },
);
