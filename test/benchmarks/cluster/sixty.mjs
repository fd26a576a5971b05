// Sixty small runs of one user, submitted at once, beside a large one of another: how long each waits for its first
// task, how long it takes to its end, and the same without the large one.
import { setTimeout as sleep } from 'node:timers/promises';
import { tinyWords, uploadNoise } from './fan-out.mjs';
import { load } from './machine.mjs';
import { noise } from './noise.mjs';
import { Session } from './session.mjs';
import { median } from '../statistics.mjs';

const smallDimensions = 16;
const runs = 60;
/** Dimensions of the large run that are done when the small ones begin: it is well under way. */
const doneBefore = 4;
const largeWords = { preset: 'paper', leaves: 8, rounds: 200, patience: 0, refit: false };
/** A dimension of it takes seconds. */
const large = { rows: 20_000, dimensions: 800 };
const tokens = { large: 'large-of-the-benchmark-0123456789', many: 'many-of-the-benchmark-0123456789a' };

/** @param {{ say: (line: string) => void }} options */
export async function measureSixty({ say }) {
  const said = Object.entries(tokens).map(([name, token]) => `${name}:full:${token}`);
  // takes seconds, in which a connection would be closed
  const matrices = [1, 2].map((seed) => noise(large.rows, large.dimensions, seed));
  const session = await Session.start({ say, environment: { ORCHARD_TOKENS: said.join(' ') } });
  const as = (name) => (session.cluster.token = tokens[name]);
  /** When a worker took the first task of each run. */
  const started = new Map();
  session.onEvent(({ kind, id }) => {
    const run = kind === 'active' ? /[0-9a-f]{64}/.exec(id)?.[0] : undefined;
    if (run !== undefined && !started.has(run)) started.set(run, Date.now());
  });
  try {
    as('many');
    const small = await uploadNoise(session, smallDimensions);
    const wide = { train: await session.upload(matrices[0]), valid: await session.upload(matrices[1]) };
    let seed = 0;
    // the first of all warms the programs up
    await session.done(await session.submit({ ...small, ...tinyWords, seed: seed++ }), 100);
    const sixty = async () => {
      const submitted = new Map();
      for (let at = 0; at < runs; at++) {
        const asked = Date.now();
        submitted.set(await session.submit({ ...small, ...tinyWords, seed: seed++ }), asked);
      }
      const ids = [...submitted.keys()];
      while (ids.some((id) => !started.has(id))) await sleep(200);
      const waits = ids.map((id) => Math.max(0, started.get(id) - submitted.get(id)) / 1000);
      const ends = [];
      for (const id of ids) {
        const { begun, ended } = await session.done(id);
        ends.push((ended - begun) / 1000);
      }
      return { median: median(waits), most: Math.max(...waits), end: median(ends) };
    };
    const alone = await sixty();
    as('large');
    const run = await session.submit({ ...wide, ...largeWords });
    const trained = async () => (await session.status(run)).stages.train.done;
    while ((await trained()) < doneBefore) await sleep(500);
    const before = await trained();
    as('many');
    const beside = await sixty();
    const after = await trained();
    // figures of a large run that was done before them say nothing
    if (after === large.dimensions) say('sixty: the large run was done before the small ones: make it larger');
    else {
      as('large');
      await session.cancel(run);
    }
    return { runs, large, smallDimensions, alone, beside, largeDoneMeanwhile: after - before, load: load() };
  } finally {
    await session.stop();
  }
}
