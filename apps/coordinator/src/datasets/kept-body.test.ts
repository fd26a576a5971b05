import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withKeptBody } from './kept-body.js';
import { readRows } from './read-rows.js';
import { RequestMemory } from '../http/request-memory.js';

async function* sent(...chunks: readonly string[]): AsyncGenerator<Uint8Array, void> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

test('a body lies in a file while it is read, and is gone afterwards, whatever came of it', async () => {
  const seen: string[] = [];
  const text = await withKeptBody(sent('0,1\n', '1,0\n'), 'orchard submit', (path) => {
    seen.push(path);
    return readFile(path, 'utf8');
  });
  expect(text).toBe('0,1\n1,0\n');
  const failing = withKeptBody(sent('0,1\n'), 'orchard submit', (path) => {
    seen.push(path);
    return Promise.reject(new Error('the reader failed'));
  });
  await expect(failing).rejects.toThrow('the reader failed');
  expect(seen.map((path) => existsSync(path))).toEqual([false, false]);
});

test('a temporary folder without room is a matter of the coordinator, not of the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-kept-'));
  await rm(folder, { recursive: true });
  vi.stubEnv('TMPDIR', folder);
  try {
    const kept = withKeptBody(sent('0,1\n'), 'orchard submit', (path) => Promise.resolve(path));
    await expect(kept).rejects.toMatchObject({
      code: 'unavailable',
      remedy: expect.stringContaining('`orchard submit`') as string,
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the memory of rows that are read in a thread counts beside that of all requests', async () => {
  const memory = new RequestMemory(200_000, 'ORCHARD_REQUEST_MEMORY_BYTES');
  const share = memory.share();
  const read = (rows: number): Promise<number> =>
    withKeptBody(sent('0,1\n'.repeat(rows)), 'orchard submit', async (path) => {
      const body = { path, query: {}, format: undefined, cells: 1e6, categoriesOf: undefined };
      return (await readRows({ ...body, memory: share.counts })).facts.rows;
    });
  expect(await read(3)).toBe(3);
  expect(memory.taken).toBeGreaterThan(0);
  await expect(read(1_000_000)).rejects.toMatchObject({ code: 'too-large' });
});
