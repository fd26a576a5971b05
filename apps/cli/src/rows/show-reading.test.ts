import type { RowFile } from '@orchard/dataset';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { showReading } from './show-reading.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two megabytes, ten seconds each. */
const slow: RowFile = {
  name: 'slow.csv',
  async *bytes() {
    for (let megabyte = 0; megabyte < 2; megabyte++) {
      yield new Uint8Array(1e6);
      await vi.advanceTimersByTimeAsync(10_000);
    }
  },
  head: () => Promise.reject(new Error('not asked for')),
  path: () => Promise.reject(new Error('not asked for')),
  keep: () => Promise.reject(new Error('not asked for')),
  close: () => Promise.resolve(),
};

function recording(quiet: boolean): { lines: string[]; terminal: Terminal } {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text.trimEnd()) };
  return { lines, terminal: new Terminal({ json: false, quiet }, stream, stream, {}) };
}

async function readThrough(file: RowFile): Promise<void> {
  const bytes = file.bytes();
  while ((await bytes.next()).done !== true);
}

test('a file that takes long says how far it is, and of how much once that is known', async () => {
  const { lines, terminal } = recording(false);
  const file = showReading(slow, terminal);
  await readThrough(file);
  await readThrough(file);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(lines).toEqual([
    'orchard: reading slow.csv: 1.0 MB',
    'orchard: reading slow.csv: 1.0 MB',
    'orchard: reading slow.csv: 2.0 MB',
    'orchard: reading slow.csv: 2.0 MB',
    'orchard: reading slow.csv: 2.0 MB',
    'orchard: reading slow.csv: 1.0 MB of 2.0 MB',
    'orchard: reading slow.csv: 1.0 MB of 2.0 MB',
    'orchard: reading slow.csv: 2.0 MB of 2.0 MB',
    'orchard: reading slow.csv: 2.0 MB of 2.0 MB',
    'orchard: reading slow.csv: 2.0 MB of 2.0 MB',
    'orchard: at work on the rows of slow.csv: 44 s',
  ]);

  lines.length = 0;
  await file.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual([]);
});

test('what is said otherwise is sign enough, and quiet is quiet', async () => {
  const { lines, terminal } = recording(false);
  const talking = setInterval(() => terminal.note('orchard: something else'), 3_000);
  await readThrough(showReading(slow, terminal));
  clearInterval(talking);
  expect(new Set(lines)).toEqual(new Set(['orchard: something else']));

  const silent = recording(true);
  await readThrough(showReading(slow, silent.terminal));
  expect(silent.lines).toEqual([]);
});
