// node test/benchmarks/finished-runs.mjs [--runs N]: what runs that have ended cost a start of a coordinator and its
// passes.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runIdOf } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { resolveRun } from '@orchard/lbarn';
import { concurrently, registerDataset } from '@orchard/pipeline';
import { JobQueues } from '@orchard/queue';
import { openRuns } from '@orchard/runs';
import { FilesystemStore } from '@orchard/storage';
import { S3Store } from '@orchard/storage/s3';
import { startRedis, startS3 } from '../../infra/servers/index.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' } } });
const finished = Number(values.runs);
const log = { info: () => undefined, warn: console.error, error: console.error };

/** Counts the requests to a store. */
function counted(store) {
  const count = { requests: 0 };
  const handler = {
    get: (target, name) => {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args) => {
        count.requests++;
        return value.apply(target, args);
      };
    },
  };
  return { store: new Proxy(store, handler), count };
}

async function fill(store, { specification, choice }) {
  const at = new Date().toISOString();
  const seeds = Array.from({ length: finished }, (_, seed) => seed + 1);
  await concurrently(seeds, 32, async (seed) => {
    const own = { ...specification, seed };
    const run = runIdOf(own);
    for (const [number, mark] of [{ kind: 'submit', specification: own, choice }, { kind: 'done' }].entries()) {
      const name = `marks/${run}/${String(number).padStart(6, '0')}`;
      await store.put(name, Buffer.from(JSON.stringify({ ...mark, id: randomUUID(), at })));
    }
  });
}

async function measure(name, store, redis) {
  const rows = ['0101', '1100', '0011', '1010'];
  const [train, valid] = await Promise.all(
    [rows, rows.slice(1)].map((some) => registerDataset(store, BitMatrix.fromRows(some))),
  );
  const resolved = resolveRun({ preset: 'paper', rounds: 3 }, { train, valid, test: null });
  const look = async (what) => {
    const asked = counted(store);
    const queues = await JobQueues.connect({ url: redis.url, prefix: `{${randomUUID()}}` });
    const { reconciler, life } = openRuns({ store: asked.store, queues, families, log });
    for (const step of [`${what}: first pass of a process`, `${what}: a later pass`]) {
      asked.count.requests = 0;
      const begun = performance.now();
      await reconciler.reconcileOnce();
      told(name, step, performance.now() - begun, asked.count.requests);
    }
    if (what.startsWith('one open')) {
      asked.count.requests = 0;
      const begun = performance.now();
      await life.list({ limit: 100 });
      told(name, `${what}: a page of 100 runs`, performance.now() - begun, asked.count.requests);
    } else await life.submit(resolved.specification, resolved.choice);
    await queues.close();
  };
  await look('an empty store');
  await fill(store, resolved);
  await look(`one open run, ${finished} ended`);
  // a store of an older release names no open runs: they are looked for once
  await store.delete('open-index');
  await look(`one open run, ${finished} ended, for the first time after an older release`);
}

function told(name, step, milliseconds, requests) {
  console.log(
    `${name.padEnd(12)}${(milliseconds / 1000).toFixed(3).padStart(9)} s${String(requests).padStart(8)} requests  ${step}`,
  );
}

const redis = await startRedis({ own: true });
const s3 = await startS3({ own: true });
const folder = await mkdtemp(join(tmpdir(), 'orchard-finished-'));
try {
  await measure('folder', await FilesystemStore.open(folder), redis);
  const { accessKeyId, secretAccessKey, bucket, region, url } = s3;
  const credentials = { accessKeyId, secretAccessKey };
  await measure('versitygw', await S3Store.open({ bucket, endpoint: url, region, credentials }), redis);
} finally {
  await Promise.all([redis.stop(), s3.stop()]);
  await rm(folder, { recursive: true, force: true });
}
