import { BitMatrix } from '@orchard/dataset';
import { createRun, registerDataset, resolveRun, ThreadPool, type Run } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NoRoom, ResidentData } from './resident-data.js';

let folder: string;
let store: FilesystemStore;
let pool: ThreadPool;
let runs: readonly Run[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchard-resident-'));
  store = await FilesystemStore.open(folder);
  pool = await ThreadPool.start({ threads: 1, kernel: 'reference' });
  const rows = await Promise.all(
    [
      ['01', '10'],
      ['11', '00', '01'],
    ].map((lines) => registerDataset(store, BitMatrix.fromRows(lines))),
  );
  const of = async (train: number, seed: number): Promise<Run> => {
    const datasets = { train: rows[train]!, valid: rows[0]!, test: null };
    return createRun(store, resolveRun({ seed }, datasets).specification);
  };
  runs = await Promise.all([of(0, 1), of(0, 2), of(1, 1)]);
});
afterEach(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

const nothing = (): Promise<void> => Promise.resolve();

test('runs on the same rows share their data; it stays for the next job', async () => {
  const resident = new ResidentData(store, pool, 2 ** 30);
  await Promise.all([resident.with(runs[0]!, nothing), resident.with(runs[1]!, nothing)]);
  const { bytes } = resident;
  expect(bytes).toBeGreaterThan(0);
  await resident.with(runs[2]!, nothing);
  expect(resident.bytes).toBeGreaterThan(bytes);
  resident.close();
  expect(resident.bytes).toBe(0);
});

test('data that never fits is refused with what it needs; data in use is waited for; unused data makes room', async () => {
  const small = new ResidentData(store, pool, 1000);
  const refusal: unknown = await small.with(runs[0]!, nothing).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NoRoom);
  expect(refusal).toMatchObject({ isPassing: false });
  const { needs } = refusal as NoRoom;
  const enough = new ResidentData(store, pool, Math.round(1.5 * needs));
  await enough.with(runs[0]!, async () => {
    await expect(enough.with(runs[2]!, nothing)).rejects.toMatchObject({ isPassing: true });
  });
  await enough.with(runs[2]!, nothing);
  expect(enough.bytes).toBeLessThan(1.5 * needs);
});
