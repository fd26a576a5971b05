// Many dimensions of next to no work each: what the cluster itself costs, and whether anything grows with the width.
import { noise } from './noise.mjs';
import { load } from './machine.mjs';
import { Session } from './session.mjs';

const rows = 24;
/** Shares of a core, by process, show which of them the rate depends on. */
const shareOf = (after, before, seconds) =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value === null ? null : (value - before[name]) / seconds]),
  );

export const tinyWords = { preset: 'paper', leaves: 2, rounds: 1, refit: false };

/** Uploads both splits of a data set of noise, and resolves to them as a submission names them. */
export async function uploadNoise(session, dimensions) {
  const train = await session.upload(noise(rows, dimensions, 1));
  return { train, valid: await session.upload(noise(rows, dimensions, 2)) };
}

/** @param {number} dimensions */
export async function fanOut(dimensions, say) {
  const session = await Session.start({ say });
  try {
    const splits = await uploadNoise(session, dimensions);
    const memoryBefore = session.memory();
    const redisBefore = await session.redisMemory();
    const processorBefore = session.processorSeconds();
    const loadBefore = load();
    let trained = 0;
    let mostHeld = 0;
    let processorTrained;
    const allTrained = new Promise((resolve) => {
      session.onEvent(({ kind, id, result }) => {
        if (kind !== 'completed' || !id.startsWith('train-')) return;
        trained += result.batch?.stored.length ?? 1;
        if (trained !== dimensions) return;
        processorTrained = session.processorSeconds();
        resolve(Date.now());
      });
    });
    const watch = setInterval(async () => {
      const { waiting, active, delayed } = (await session.queues.counts()).worker;
      mostHeld = Math.max(mostHeld, waiting + active + delayed);
    }, 500);
    const run = await session.submit({ ...splits, ...tinyWords });
    const trainedAt = await allTrained;
    const requests = await session.storeRequests();
    clearInterval(watch);
    const { begun, ended } = await session.done(run);
    const seconds = (trainedAt - begun) / 1000;
    const redis = await session.redisMemory();
    const conditionals = await session.stored(`runs/${run}/conditionals/`);
    const processes = session.processorSeconds();
    const { bytes: storedBytes } = await session.stored('');
    return {
      dimensions,
      rows,
      workerSeconds: ['worker 1', 'worker 2'].reduce((all, name) => all + processes[name] - processorBefore[name], 0),
      storedBytes,
      redisPeakBytes: redis.peak,
      trainSeconds: seconds,
      jobsPerSecond: dimensions / seconds,
      processorMillisecondsPerJob:
        (1000 *
          Object.keys(processorTrained).reduce(
            (all, name) => all + processorTrained[name] - processorBefore[name],
            0,
          )) /
        dimensions,
      endToEndSeconds: (ended - begun) / 1000,
      endToEndJobsPerSecond: (1000 * dimensions) / (ended - begun),
      coresOf: shareOf(processorTrained, processorBefore, seconds),
      requestsPerJob: Object.fromEntries(Object.entries(requests).map(([name, count]) => [name, count / dimensions])),
      mostJobsHeld: mostHeld,
      redisBytes: redis.peak - redisBefore.now,
      conditionalBytes: conditionals.bytes / conditionals.objects,
      memoryBefore,
      memory: session.memory(),
      load: [loadBefore, load()],
    };
  } finally {
    await session.stop();
  }
}
