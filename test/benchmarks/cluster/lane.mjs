// One process that does one thing again and again, as a worker of the cluster would: started by lanes.mjs, instructed
// by IPC.
import { S3Store } from '@orchard/storage/s3';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

const warmUp = 100;

/** Takes jobs and does nothing, until the process is ended. */
async function takeJobs({ url, queue }) {
  const worker = new Worker(queue, async () => ({ stored: true }), {
    connection: new Redis(url, { maxRetriesPerRequest: null }),
    concurrency: 1,
    autorun: false,
  });
  await worker.waitUntilReady();
  return () => void worker.run();
}

/** Objects one after another. */
async function putObjects({ store: configuration, count, bytes, prefix }) {
  const store = await S3Store.open(configuration);
  const body = Buffer.alloc(bytes, 1);
  const putAll = async (folder, objects) => {
    for (let index = 0; index < objects; index++) await store.put(`${folder}/conditionals/${index}`, body);
  };
  await putAll(`${prefix}-warm`, warmUp);
  return async () => {
    await putAll(prefix, count);
    process.send('done');
  };
}

// stays until it is ended: its processor time is read last
setInterval(() => undefined, 2 ** 30);
process.once('message', async ({ kind, ...task }) => {
  const go = await (kind === 'jobs' ? takeJobs(task) : putObjects(task));
  process.once('message', go);
  process.send('ready');
});
