import { BitMatrix } from '@orchard/dataset';
import {
  createRun,
  LocalCompute,
  NoRoom,
  registerDataset,
  ResidentData,
  ThreadPool,
  type Call,
  type Compute,
  type DataRequest,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lbarnRun } from '../run/lbarn-run.js';
import { lbarn } from '../lbarn.js';
import { resolveRun } from '../run/resolve-run.js';
import { trainingDataOf } from './training-data.js';

let store: ObjectStore;
let pool: ThreadPool;
let requests: readonly DataRequest[];

beforeEach(async () => {
  store = temporaryStore();
  pool = await ThreadPool.start({ store, threads: 1, kernel: 'reference' });
  const rows = await Promise.all(
    [
      ['01', '10'],
      ['11', '00', '01'],
    ].map((lines) => registerDataset(store, BitMatrix.fromRows(lines))),
  );
  const of = async (train: number, seed: number): Promise<DataRequest> => {
    const datasets = { train: rows[train]!, valid: rows[0]!, test: null };
    return trainingDataOf(lbarnRun(await createRun(store, resolveRun({ leaves: 16, seed }, datasets).specification)));
  };
  requests = await Promise.all([of(0, 1), of(0, 2), of(1, 1)]);
});
afterEach(() => pool.close());

const nothing = (): Promise<void> => Promise.resolve();

function open(bytes: number): { resident: ResidentData; compute: Compute } {
  const resident = new ResidentData(pool, bytes);
  return { resident, compute: resident.compute(lbarn.computations) };
}

test('runs on the same rows share their data; it stays for the next job', async () => {
  const { resident, compute } = open(2 ** 30);
  await Promise.all([compute.withData(requests[0]!, nothing), compute.withData(requests[1]!, nothing)]);
  const { bytes } = resident;
  expect(bytes).toBeGreaterThan(0);
  await compute.withData(requests[2]!, nothing);
  expect(resident.bytes).toBeGreaterThan(bytes);
  resident.close();
  expect(resident.bytes).toBe(0);
});

test('data that never fits is refused with what it needs; data in use is waited for; unused data makes room', async () => {
  const refusal: unknown = await open(1000)
    .compute.withData(requests[0]!, nothing)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NoRoom);
  expect(refusal).toMatchObject({ isPassing: false });
  const { needs } = refusal as NoRoom;
  const enough = open(Math.round(1.5 * needs));
  await enough.compute.withData(requests[0]!, async () => {
    await expect(enough.compute.withData(requests[2]!, nothing)).rejects.toMatchObject({ isPassing: true });
  });
  await enough.compute.withData(requests[2]!, nothing);
  expect(enough.resident.bytes).toBeLessThan(1.5 * needs);
});

test('on a laptop data go when others are needed, and stay while they are used', async () => {
  const compute = new LocalCompute(lbarn.computations, { store, threads: 1, kernel: 'reference' });
  const [first, , other] = requests as [DataRequest, DataRequest, DataRequest];
  const isThere = (call: Call): Promise<boolean> =>
    call('conditional', {}).then(
      () => true,
      (error: { code?: string }) => error.code !== 'interrupted',
    );
  try {
    let kept: Call | null = null;
    await compute.withData(first, async (call) => {
      kept = call;
      await compute.withData(other, nothing);
      expect(await isThere(call)).toBe(true);
    });
    await compute.withData(first, async (call) => expect(await isThere(call)).toBe(true));
    expect(await isThere(kept!)).toBe(true);
    await compute.withData(other, nothing);
    await compute.withData({ ...first, key: 'the same again' }, nothing);
    expect(await isThere(kept!)).toBe(false);
  } finally {
    await compute.close();
  }
});
