import { JOB_VERSION, presets, type BaseSpecification } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { createRun, registerDataset, ResidentData, ThreadPool } from '@orchard/pipeline';
import { TaskLedger } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore, watchedStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TaskProcessor } from './task-processor.js';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
let store: ObjectStore;
let pool: ThreadPool;
let resident: ResidentData;

beforeEach(() => {
  store = temporaryStore();
});
afterEach(async () => {
  vi.useRealTimers();
  resident.close();
  await pool.close();
});

test('a job is one put and nothing else; the first of a run reads once what the run is, and its data', async () => {
  const rows = ['010', '110', '001', '101'].map((row) => row.repeat(2));
  const [train, valid] = await Promise.all(
    [rows, rows.slice(1)].map((some) => registerDataset(store, BitMatrix.fromRows(some))),
  );
  const specification: BaseSpecification = {
    train: train!.id,
    valid: valid!.id,
    test: null,
    ...presets.paper,
    rounds: 3,
    ordering: 'natural',
    seed: 1,
    numericsVersion: NUMERICS_VERSION,
  };
  const { id: run } = await createRun(store, specification);
  const choice = { selection: 'linearized', refit: true };
  const mark = { kind: 'submit', specification, choice, id: 'first', at: new Date().toISOString() };
  await store.put(`marks/${run}/000000`, Buffer.from(JSON.stringify(mark)));

  const requests: string[] = [];
  const asked = watchedStore(store, (method, [name]) => requests.push(`${method} ${String(name)}`));
  pool = await ThreadPool.start({ store: asked, threads: 1 });
  resident = new ResidentData(pool, 1e9);
  // what is known of a run's marks is a second old at most: this second
  vi.useFakeTimers({ toFake: ['performance'] });
  const processor = new TaskProcessor({
    store: asked,
    families,
    resident,
    short: resident,
    ledger: new TaskLedger(asked),
    log,
    name: 'w',
    standing: { stored: () => undefined },
    others: () => Promise.resolve([]),
    isCached: () => Promise.resolve(false),
    checkpointSeconds: 30,
    observe: () => undefined,
  });
  const work = async (dimension: number): Promise<string[]> => {
    requests.length = 0;
    const task = { run, kind: 'train', key: String(dimension) };
    const job = {
      version: JOB_VERSION,
      task,
      family: 'lbarn',
      numericsVersion: NUMERICS_VERSION,
      detail: {},
      isNew: true,
    } as const;
    const signal = new AbortController().signal;
    const held = {
      id: task.key,
      job,
      loss: null,
      lostBy: '',
      addedAt: 0,
      isFirst: true,
      isShort: false,
      signal,
      report: () => undefined,
    };
    expect(await processor.process(held)).toMatchObject({ outcome: 'stored' });
    return [...requests];
  };
  const put = (dimension: number): string => `put runs/${run}/conditionals/${dimension}`;
  const first = await work(5);
  const { train: rowsOfTrain, valid: rowsOfValid } = specification;
  const datasets = [rowsOfTrain, rowsOfValid].flatMap((id) => [`get datasets/${id}`, `get datasets/${id}.facts`]);
  const marks = [`list marks/${run}/`, `get marks/${run}/000000`];
  expect(first.sort()).toEqual([...marks, `get runs/${run}/specification`, ...datasets, put(5)].sort());
  expect(await work(4)).toEqual([put(4)]);
  expect(await work(3)).toEqual([put(3)]);
});
