// What the two servers take without Orchard: BullMQ on the same Redis doing nothing, and puts into the same object
// store.
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { startRedis, startS3 } from '../../../infra/servers/index.mjs';
import { startLanes } from './lanes.mjs';
import { processorSeconds } from './processes.mjs';

const workers = 2;
const bulk = 1000;
const exampleRun = 'a'.repeat(64);

/** @param {import('ioredis').Redis} redis */
async function usedMemory(redis) {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))[1]);
}

/**
 * Jobs of Orchard's size and options through plain BullMQ: two processes that take one at a time and do nothing.
 *
 * @param {number} jobs
 */
export async function plainQueue(jobs, say) {
  const server = await startRedis({ appendOnly: true, say });
  const redis = new Redis(server.url, { maxRetriesPerRequest: null });
  const queue = new Queue('plain', { connection: redis });
  const listener = redis.duplicate();
  const events = new QueueEvents('plain', { connection: listener });
  const lanes = await startLanes(
    Array.from({ length: workers }, () => ({ kind: 'jobs', url: server.url, queue: 'plain' })),
  );
  try {
    await events.waitUntilReady();
    let completed = 0;
    const all = new Promise((resolve) => {
      events.on('completed', () => (completed += 1) === jobs && resolve());
    });
    const before = await usedMemory(redis);
    const begun = performance.now();
    for (let first = 0; first < jobs; first += bulk) {
      await queue.addBulk(
        Array.from({ length: Math.min(bulk, jobs - first) }, (_, index) => ({
          name: 'train',
          data: { stage: 'train', runId: exampleRun, dimension: first + index, checkpoint: 0 },
          opts: {
            jobId: `train-${exampleRun}-${first + index}`,
            attempts: 1,
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    }
    const added = performance.now();
    const waiting = await usedMemory(redis);
    const used = () => lanes.processorSeconds() + (processorSeconds(server.pid) ?? NaN);
    const usedBefore = used();
    const started = performance.now();
    lanes.go();
    await all;
    const ended = performance.now();
    return {
      jobs,
      jobsPerSecond: (1000 * jobs) / (added - begun + ended - started),
      processedPerSecond: (1000 * jobs) / (ended - started),
      processorMillisecondsPerJob: (1000 * (used() - usedBefore)) / jobs,
      bytesPerWaitingJob: (waiting - before) / jobs,
    };
  } finally {
    await lanes.stop();
    await events.close();
    await queue.close();
    for (const connection of [listener, redis]) connection.disconnect();
    await server.stop();
  }
}

/**
 * Create-only puts of `bytes` by two processes, one after another in each: what a job asks of the store.
 *
 * @param {{ puts: number, bytes: number, say: (line: string) => void }} options
 */
export async function plainStore({ puts, bytes, say }) {
  const server = await startS3({ say });
  const { url: endpoint, bucket, region, accessKeyId, secretAccessKey, kind } = server;
  const store = { bucket, endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  const count = Math.ceil(puts / workers);
  const lanes = await startLanes(
    Array.from({ length: workers }, (_, lane) => ({
      kind: 'puts',
      store,
      count,
      bytes,
      prefix: `lane-${lane}`,
    })),
  );
  try {
    const used = () => lanes.processorSeconds() + (processorSeconds(server.pid) ?? NaN);
    const usedBefore = used();
    const done = lanes.done();
    const begun = performance.now();
    lanes.go();
    await done;
    const seconds = (performance.now() - begun) / 1000;
    return {
      puts: workers * count,
      perSecond: (workers * count) / seconds,
      processorMillisecondsPerJob: (1000 * (used() - usedBefore)) / (workers * count),
      server: kind,
    };
  } finally {
    await lanes.stop();
    await server.stop();
  }
}
