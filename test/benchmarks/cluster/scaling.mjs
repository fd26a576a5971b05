// How long binarized_mnist would take on 1 to 1,000 workers: costs measured on some dimensions, interpolated,
// simulated.
import { refitConditional, trainConditional } from '@orchard/logitboost';
import { readDataset } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { locate } from '../peers/data.mjs';
import { load } from './machine.mjs';
import { interpolate, lowerBound, makespan } from './schedule.mjs';
import { median, sum } from '../statistics.mjs';

const set = 'binarized_mnist';
const options = { leaves: 32, rounds: 1000, shrinkage: 0.02, start: 'half' };
const settled = { minLeafWeight: 0, maxLeafValue: Infinity, l2: 0, featureFraction: 1, patience: 0, seed: 0 };
const workerCounts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 784, 1000];
const shuffles = 21;

const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** @returns {number} processor seconds of the call: the machine may be busy with other things */
function secondsOf(call) {
  const before = processorSeconds();
  call();
  return processorSeconds() - before;
}

/** Set-up and cost of a round by two lengths, and from them the cost of all rounds, trained and refitted. */
function costOf(kernel, data, pooled, position, [short, long]) {
  const run = (rounds) => {
    let trained;
    const boosting = { ...settled, ...options, rounds };
    const train = secondsOf(() => (trained = trainConditional(kernel, data, position, boosting)));
    const refit = secondsOf(() => refitConditional(kernel, pooled, position, trained.ensemble, boosting));
    return { train, refit };
  };
  const [few, many] = [run(short), run(long)];
  const extended = (stage) => {
    const round = Math.max(0, many[stage] - few[stage]) / (long - short);
    return {
      setup: Math.max(0, few[stage] - short * round),
      round,
      all: many[stage] + (options.rounds - long) * round,
    };
  };
  return { position, train: extended('train'), refit: extended('refit') };
}

/** Dimensions that say something, evenly over all that do. */
function sampled(varying, count) {
  return Array.from({ length: count }, (_, index) => varying[Math.round((index * (varying.length - 1)) / (count - 1))]);
}

function shuffled(values, seed) {
  const stream = new RandomStream(seed, 0x73687566);
  const all = [...values];
  for (let place = all.length - 1; place > 0; place--) {
    const other = stream.below(place + 1);
    [all[place], all[other]] = [all[other], all[place]];
  }
  return all;
}

/** @param {{ folders: string[], quick: boolean, say: (line: string) => void }} options */
export async function simulateScaling({ folders, quick, say }) {
  const files = locate(set, folders);
  if (files === null) {
    say(`scaling: left out, no ${set} in ${folders.join(' or ')} (--data DIR)`);
    return null;
  }
  const testPath = join(dirname(files.train), 'test.data.gz');
  const [train, valid, test] = await Promise.all([
    readDataset(files.train),
    readDataset(files.valid),
    existsSync(testPath) ? readDataset(testPath) : null,
  ]);
  const kernel = await loadKernel('wasm');
  const data = TrainingData.arrange({ train, valid, test }, { threads: 1, leaves: options.leaves });
  const pooled = data.pooled();
  const counts = train.columnCounts();
  const varying = [...counts.keys()].filter((dim) => dim > 0 && counts[dim] > 0 && counts[dim] < train.rows);
  const lengths = quick ? [10, 60] : [20, 120];
  const loadBefore = load();
  costOf(kernel, data, pooled, varying[varying.length >> 1], [2, 4]); // warm
  const constant = costOf(
    kernel,
    data,
    pooled,
    counts.findIndex((count) => count === 0),
    lengths,
  );
  const samples = sampled(varying, quick ? 15 : 61).map((position) => {
    const sample = costOf(kernel, data, pooled, position, lengths);
    say(
      `scaling: dimension ${position}, ${sample.train.all.toFixed(1)} s trained, ${sample.refit.all.toFixed(1)} s refitted`,
    );
    return sample;
  });
  const isVarying = new Set(varying);
  const costs = (stage) => {
    const known = samples.map((sample) => ({ at: sample.position, value: sample[stage].all }));
    return interpolate(known, train.dimensions).map((cost, dim) => (isVarying.has(dim) ? cost : constant[stage].all));
  };
  return {
    set,
    ...options,
    rows: train.rows,
    dimensions: train.dimensions,
    constantDimensions: train.dimensions - varying.length,
    lengths,
    samples,
    ...simulate({ train: costs('train'), refit: costs('refit') }),
    load: [loadBefore, load()],
  };
}

/** Refits begin when all dimensions are trained: two schedules, one after the other. */
function simulate(costs) {
  const both = (time) => time(costs.train) + time(costs.refit);
  // as the coordinator orders them: the most predictors first, whatever they really cost
  const costliestFirst = (list) => [...list].reverse();
  const table = workerCounts.map((workers) => {
    const arbitrary = Array.from({ length: shuffles }, (_, seed) =>
      both((list) => makespan(shuffled(list, seed), workers)),
    );
    return {
      workers,
      limit: both((list) => lowerBound(list, workers)),
      costliestFirst: both((list) => makespan(costliestFirst(list), workers)),
      exactlyCostliestFirst: both((list) =>
        makespan(
          [...list].sort((a, b) => b - a),
          workers,
        ),
      ),
      arbitrary: median(arbitrary),
      arbitraryWorst: Math.max(...arbitrary),
      cheapestFirst: both((list) => makespan(list, workers)),
    };
  });
  return {
    trainSeconds: sum(costs.train),
    refitSeconds: sum(costs.refit),
    longestSeconds: both((list) => Math.max(...list)),
    table,
  };
}
