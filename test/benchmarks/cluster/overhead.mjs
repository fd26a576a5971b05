// The same run by `orchard train --threads 2` and by a cluster of two one-thread workers on the same two cores.
import { datasetFacts } from '@orchard/pipeline';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locate } from '../peers/data.mjs';
import { load } from './machine.mjs';
import { timed } from './processes.mjs';
import { Session } from './session.mjs';
import { median, sum } from '../statistics.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

/** The command line, as it is built. */
export const orchard = [process.execPath, fileURLToPath(new URL('../../../apps/cli/program/main.js', import.meta.url))];

/**
 * The first two are long enough for their overhead to be a ratio: one stores a megabyte for each quarter of a second of
 * training, the other takes longer for less. The others are over in seconds: milliseconds a job.
 */
const runs = [
  { set: 'ocr_letters', leaves: 64, rounds: 1000, quick: 100 },
  { set: 'binarized_mnist', leaves: 32, rounds: 300, quick: 20 },
  { set: 'mushrooms', leaves: 8, rounds: 300, quick: 100 },
  { set: 'plants', leaves: 32, rounds: 100, quick: 50 },
];

export const overheadSets = runs.map(({ set }) => set);

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/**
 * The files of a set and the words that both commands take. The paper's preset draws nothing: the seed makes runs
 * differ in name alone.
 */
function wordsOf({ leaves, rounds }, { train, valid }, seed) {
  const test = join(dirname(train), 'test.data.gz');
  const files = [train, '--valid', valid, ...(existsSync(test) ? ['--test', test] : [])];
  const options = { preset: 'paper', leaves, rounds, seed };
  return [...files, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])];
}

/** By `orchard train` on this machine. @param {string[]} words its files and options */
export async function trainHere(words) {
  const out = temporaryFolder('bench');
  const done = await timed([...orchard, 'train', ...words, '--threads', '2', '--out', out, '--quiet', '--json']);
  const { dataset } = JSON.parse(done.output);
  return { ...done, dimensions: dataset.dimensions, network: sha256(readFileSync(join(out, 'network.msgpack'))) };
}

const difference = (after, before) =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value === null ? null : value - before[name]]),
  );

/**
 * By a cluster that has just started and holds nothing; the data set's way there counts, as its reading does for the
 * other.
 */
export async function trainThere(words, say) {
  const session = await Session.start({ say });
  try {
    const before = session.processorSeconds();
    const environment = { ORCHARD_SERVER: session.cluster.url, ORCHARD_TOKEN: session.cluster.token };
    const begun = Date.now();
    const command = await timed([...orchard, 'submit', ...words, '--watch', '--quiet', '--json'], environment);
    const { id, stages, specification } = JSON.parse(command.output);
    const processes = difference(session.processorSeconds(), before);
    const { ended } = await session.span(id);
    const answer = await fetch(`${session.cluster.url}/v1/runs/${id}/network`, {
      headers: { Authorization: `Bearer ${session.cluster.token}` },
    });
    return {
      seconds: (ended - begun) / 1000,
      watchedSeconds: command.seconds,
      processorSeconds: sum([command.processorSeconds, ...Object.values(processes)]),
      processes: { submit: command.processorSeconds, ...processes },
      rows: (await datasetFacts(session.store, specification.train)).rows,
      jobs: sum(Object.values(stages).map((stage) => stage?.total ?? 0)),
      network: sha256(Buffer.from(await answer.arrayBuffer())),
      stored: await session.stored(`runs/${id}/`),
      datasets: await session.stored('datasets/'),
      redis: await session.redisMemory(),
      requests: await session.storeRequests(),
      memory: session.memory(),
    };
  } finally {
    await session.stop();
  }
}

/**
 * @param {{ folders: string[], quick: boolean, repeats: number, sets: string[], say: (line: string) => void }} options
 */
export async function measureOverhead({ folders, quick, repeats, sets, say }) {
  const measured = [];
  for (const run of runs) {
    if (sets.length > 0 && !sets.includes(run.set)) continue;
    const files = locate(run.set, folders);
    if (files === null) {
      say(`overhead: ${run.set} left out, no data in ${folders.join(' or ')} (--data DIR)`);
      continue;
    }
    const rounds = quick ? run.quick : run.rounds;
    const pairs = [];
    for (let repeat = 0; repeat < repeats; repeat++) {
      const words = wordsOf({ ...run, rounds }, files, repeat);
      const loadBefore = load();
      const here = await trainHere(words);
      const there = await trainThere(words, say);
      if (here.network !== there.network) throw new Error(`${run.set}: the networks of laptop and cluster differ`);
      pairs.push({ here, there, load: [loadBefore, load()] });
      say(
        `overhead: ${run.set}, ${repeat + 1} of ${repeats}: ${here.seconds.toFixed(1)} s here, ${there.seconds.toFixed(1)} s there`,
      );
    }
    measured.push({ ...run, rounds, ...figuresOf(pairs), pairs });
  }
  return measured;
}

function figuresOf(pairs) {
  const each = (figure) => pairs.map(figure);
  const { jobs } = pairs[0].there;
  const wall = each(({ here, there }) => there.seconds / here.seconds);
  const processor = each(({ here, there }) => there.processorSeconds / here.processorSeconds);
  return {
    jobs,
    dimensions: pairs[0].here.dimensions,
    wallRatio: median(wall),
    wallRatios: wall,
    processorRatio: median(processor),
    processorRatios: processor,
    wallMillisecondsPerJob: median(each(({ here, there }) => (1000 * (there.seconds - here.seconds)) / jobs)),
    processorMillisecondsPerJob: median(
      each(({ here, there }) => (1000 * (there.processorSeconds - here.processorSeconds)) / jobs),
    ),
    hereSeconds: median(each(({ here }) => here.seconds)),
    thereSeconds: median(each(({ there }) => there.seconds)),
    hereProcessorSeconds: median(each(({ here }) => here.processorSeconds)),
    thereProcessorSeconds: median(each(({ there }) => there.processorSeconds)),
  };
}
