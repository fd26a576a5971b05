// A run of 10,000 dimensions beside one of 16: when the small one is done, relative to when it has the cluster to
// itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { tinyWords, uploadNoise } from './fan-out.mjs';
import { load } from './machine.mjs';
import { Session } from './session.mjs';
import { median } from '../statistics.mjs';

const smallDimensions = 16;
/** The wide run is well under way when the small ones begin. */
const share = 0.02;

/** @param {{ dimensions: number, repeats: number, say: (line: string) => void }} options */
export async function measureFairness({ dimensions, repeats, say }) {
  const session = await Session.start({ say });
  try {
    const [small, wide] = [await uploadNoise(session, smallDimensions), await uploadNoise(session, dimensions)];
    let seed = 0;
    const timeOfSmall = async () => {
      const run = await session.submit({ ...small, ...tinyWords, seed: seed++ });
      const { begun, ended } = await session.done(run, 100);
      return (ended - begun) / 1000;
    };
    const times = async () => {
      const all = [];
      for (let repeat = 0; repeat < repeats; repeat++) all.push(await timeOfSmall());
      return all;
    };
    // the first of all warms the programs up
    await timeOfSmall();
    const alone = await times();
    const loadAlone = load();
    const run = await session.submit({ ...wide, ...tinyWords });
    const trained = async () => (await session.status(run)).stages.train.done;
    while ((await trained()) < share * dimensions) await sleep(200);
    const before = await trained();
    const beside = await times();
    const after = await trained();
    await session.cancel(run);
    return {
      dimensions,
      smallDimensions,
      alone,
      beside,
      aloneSeconds: median(alone),
      besideSeconds: median(beside),
      ratio: median(beside) / median(alone),
      wideDoneMeanwhile: after - before,
      wideLeft: dimensions - after,
      load: [loadAlone, load()],
    };
  } finally {
    await session.stop();
  }
}
