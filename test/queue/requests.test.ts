import { runIdOf, type BaseSpecification, type Wanted } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { resolveRun } from '@orchard/lbarn';
import { concurrently, factsOfSplits, registerDataset } from '@orchard/pipeline';
import { JobQueues } from '@orchard/queue';
import { openRuns, type Runs } from '@orchard/runs';
import { type ObjectStore } from '@orchard/storage';
import { temporaryStore, watchedStore } from '@orchard/storage/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

/** A store, and every request to it, each a word and a name. */
function counted(store: ObjectStore): { store: ObjectStore; requests: string[] } {
  const requests: string[] = [];
  return { requests, store: watchedStore(store, (word, [name]) => requests.push(`${word} ${String(name)}`)) };
}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.skipIf(lacks('redis'))('what is asked of the store', () => {
  let redis: RedisServer;
  let files: ObjectStore;
  let specification: BaseSpecification;
  let choice: Wanted;
  const queues: JobQueues[] = [];

  beforeAll(async () => {
    redis = await startRedis({ own: true });
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    files = temporaryStore();
    const rows = ['0101', '1100', '0011', '1010'];
    const [train, valid, test] = await Promise.all(
      [rows, rows.slice(1), rows.slice(2)].map((some) => registerDataset(files, BitMatrix.fromRows(some))),
    );
    ({ specification, choice } = resolveRun(
      { preset: 'paper', rounds: 3 },
      { train: train!, valid: valid!, test: test! },
    ));
  });
  afterEach(() => Promise.all(queues.splice(0).map((one) => one.close())));

  async function open(): Promise<Runs & { requests: string[] }> {
    const { store, requests } = counted(files);
    const connection = { url: redis.url, prefix: `{test-${randomBytes(4).toString('hex')}}` };
    queues.push(await JobQueues.connect(connection));
    return { ...openRuns({ store, queues: queues.at(-1)!, families, log }), requests };
  }

  /** Marks as they are stored, and nothing else. */
  async function store(own: BaseSpecification, marks: readonly object[]): Promise<void> {
    const at = new Date().toISOString();
    for (const [number, mark] of marks.entries()) {
      const name = `marks/${runIdOf(own)}/${String(number).padStart(6, '0')}`;
      await files.put(name, Buffer.from(JSON.stringify({ ...mark, id: randomUUID(), at })));
    }
  }

  async function finish(from: number, to: number): Promise<void> {
    const seeds = Array.from({ length: to - from }, (_, at) => from + at);
    await concurrently(seeds, 16, (seed) => {
      const own = { ...specification, seed };
      return store(own, [{ kind: 'submit', specification: own, choice }, { kind: 'done' }]);
    });
  }

  test('by a start and by a pass does not grow with the runs that have ended', async () => {
    const startAndPass = async (): Promise<[string[], string[]]> => {
      const { reconciler, requests } = await open();
      await reconciler.reconcileOnce();
      const start = requests.splice(0);
      await reconciler.reconcileOnce();
      return [start, requests];
    };
    // the first start of all looks for runs of a release that did not name the open ones
    await startAndPass();
    const { life } = await open();
    await life.submit(specification, choice);
    await finish(1, 11);
    const few = await startAndPass();
    await finish(11, 101);
    const many = await startAndPass();
    expect(many.map(({ length }) => length)).toEqual(few.map(({ length }) => length));
    expect(few.map(({ length }) => length)).toEqual([11, 4]);
    for (const requests of few) {
      expect(new Set(requests).size).toBe(requests.length);
      // what is in a folder that was listed is known
      const listed = requests.flatMap((request) => (request.startsWith('list ') ? [request.slice(5)] : []));
      for (const one of listed)
        expect([one, listed.filter((other) => other !== one && one.startsWith(other))]).toEqual([one, []]);
    }
  });

  test('by the deletion of a data set, and by who looks for runs of one end, does not grow with other runs', async () => {
    const free = await registerDataset(files, BitMatrix.fromRows(['1111', '0000']));
    const failed = { ...specification, seed: 5_000 };
    const marks = [
      { kind: 'submit', specification: failed, choice },
      { kind: 'failed', reason: 'no memory' },
    ];
    await store(failed, marks);
    const ask = async (): Promise<Record<string, string[]>> => {
      // as an older release left them: named by the first coordinator that sees them
      await files.delete('ended-index');
      const { reconciler } = await open();
      await reconciler.reconcileOnce();
      while ((await files.head('ended-index')) === null) await sleep(20);
      const { life, datasets, requests } = await open();
      const { runs } = await life.list({ state: 'failed' });
      expect(runs).toMatchObject([{ id: runIdOf(failed), state: 'failed' }]);
      const listing = requests.splice(0);
      await expect(datasets.remove(specification.train)).rejects.toMatchObject({ code: 'dataset-in-use' });
      const refusal = requests.splice(0);
      await datasets.remove(free.id);
      const removal = requests.splice(0);
      await registerDataset(files, BitMatrix.fromRows(['1111', '0000']));
      return { listing, refusal, removal };
    };
    await finish(1, 41);
    const few = await ask();
    await finish(41, 201);
    const many = await ask();
    const counts = ({ listing, removal }: Record<string, string[]>): unknown => [listing!.length, removal!.length];
    expect([counts(few), counts(many)]).toEqual([
      [6, 14],
      [6, 14],
    ]);
    // the first of those that need it are enough
    expect(many['refusal']!.length).toBeLessThanOrEqual(20);
  });

  test('by a submission is at most eight things, none of them twice', async () => {
    const { life, requests } = await open();
    // the coordinator reads what is known of the splits first
    const before = counted(files);
    const { status } = await life.submit(specification, choice, await factsOfSplits(before.store, specification));
    const all = [...before.requests, ...requests];
    expect(status.state).toBe('training');
    expect(all.length).toBeLessThanOrEqual(8);
    expect(new Set(all).size).toBe(all.length);
  });
});
