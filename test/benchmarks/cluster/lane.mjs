// One process that does one thing again and again, as a worker of the cluster would: started by lanes.mjs, told what by IPC.
import { S3Store } from '@orchard/storage/s3';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

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

/** Objects one after another; `whole`: with the questions that a training job asks around its put. */
async function putObjects({ store: configuration, count, bytes, prefix, whole }) {
  const store = await S3Store.open(configuration);
  const body = Buffer.alloc(bytes, 1);
  return async () => {
    for (let index = 0; index < count; index++) {
      const name = `${prefix}/conditionals/${index}`;
      const checkpoints = `${prefix}/checkpoints/${index}/`;
      if (whole) {
        await store.head(name);
        await store.list(checkpoints);
      }
      await store.put(name, body);
      if (whole) await store.list(checkpoints);
    }
    process.send('done');
  };
}

process.once('message', async ({ kind, ...task }) => {
  const go = await (kind === 'jobs' ? takeJobs(task) : putObjects(task));
  process.once('message', go);
  process.send('ready');
});
