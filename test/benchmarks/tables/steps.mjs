// What is done with one table, in order. Every program runs by itself, under the same conditions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argv } from '../../../infra/command-line.mjs';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const orchard = here('../../../apps/cli/program/main.js');

/** Models of the joint density; `null` for a density that a limit kept from us. */
export const densityPeers = ['marginals', 'mixture', 'network', 'unmasking'];
const fillers = ['most-frequent', 'iterative', 'boosting'];
export const detectors = ['forest', 'ecod'];

/** Of 20 the mean errs by 2.5 % more than the mean of the distribution does, of 100 by .5 %. */
const DRAWS = 100;

/**
 * Measures one table.
 *
 * @param {{ name: string, target: string, path: string }} table
 * @param {{ run: Function, python: string, folder: string, seed: number, unmaskingRows: number, say: (text: string) =>
 *   void, peers: string[], resampled?: string }} how
 */
export function measureTable({ name, target, path }, { run, python, folder, seed, unmaskingRows, say, peers }) {
  const file = (of) => join(folder, of);
  const ours = (...words) => run([process.execPath, orchard, ...words], { hasMemoryLimit: false });
  const script = (what, ...words) => run([python, here(`${what}.py`), ...words.map(String)]);
  const told = (result) => JSON.parse(result.answer);
  const must = (result) => {
    if (result.limited) throw new Error(`${name}: a step that all others need reached the limit of ${result.limited}`);
    return told(result);
  };
  /** What it took, and what it answered where it got that far. */
  const kept = ({ answer, ...took }) => ({ took, ...(answer === null ? {} : JSON.parse(answer)) });

  say(`${name}: splitting`);
  const { leftOut } = must(ours('describe', path, '--json'));
  const left = leftOut.map((column) => column.name ?? column);
  const rows = must(script('split', path, seed, JSON.stringify(left), folder));

  say(`${name}: orchard train`);
  const training = ours(
    ...argv`train ${file('train.csv')} --out ${file('run')} --force --threads 1
    --seed ${seed} --json`,
  );
  must(training);
  writeFileSync(
    file('facts.json'),
    run([process.execPath, here('facts.mjs'), file('run/network.msgpack')], { hasMemoryLimit: false }).answer,
  );
  const known = must(script('known', folder, seed));

  say(`${name}: orchard evaluate, sample`);
  const evaluation = ours('evaluate', file('run'), file('known.csv'), '--per-row', file('known-scores.csv'), '--json');
  const sampling = ours(
    ...argv`sample ${file('run')} --count ${rows.test} --seed ${seed}
    --out ${file('orchard.csv')} --json`,
  );
  const { massLogLikelihood, densityLogLikelihood, variables } = must(evaluation);
  const densities = {
    orchard: {
      took: took(training),
      training: { wall: training.wall, processor: training.processor },
      evaluating: took(evaluation),
      sampling: took(sampling),
      ...must(script('own', folder)),
      ...{ massLogLikelihood, densityLogLikelihood, variables },
    },
  };
  for (const peer of peers) {
    say(`${name}: ${peer}`);
    densities[peer] = kept(script('peer', folder, peer, seed, unmaskingRows));
  }

  say(`${name}: the quality of sampled rows`);
  const drawn = ['orchard', ...peers.filter((peer) => densities[peer].logDensity !== undefined), 'resampled', 'train'];
  const quality = {};
  for (const of of drawn) quality[of] = kept(script('quality', folder, target, seed, file(`${of}.csv`)));

  must(script('plant', folder, seed));
  const fills = {};
  for (const [method, words] of [
    ['draws', ['--draws', String(DRAWS)]],
    ['probabilities', ['--probabilities']],
  ]) {
    say(`${name}: orchard complete ${words.join(' ')}`);
    const completed = ours(
      ...argv`complete ${file('run')} ${file('blank.csv')} ${words} --seed ${seed}
      --out ${file(`${method}.csv`)} --json`,
    );
    fills[`orchard ${method}`] = completed.limited
      ? { took: took(completed) }
      : { ...must(script('fill', folder, method, seed, file(`${method}.csv`))), took: took(completed) };
  }
  for (const method of fillers) {
    say(`${name}: filling by ${method}`);
    fills[method] = kept(script('fill', folder, method, seed));
  }

  say(`${name}: outliers`);
  const scorings = ['swapped', 'beyond'].map((task) =>
    ours('evaluate', file('run'), file(`${task}.csv`), '--per-row', file(`${task}-scores.csv`), '--json'),
  );
  scorings.forEach(must);
  const odd = { orchard: { ...must(script('odd', folder, 'orchard', seed)), took: took(scorings[0]) } };
  for (const method of detectors) odd[method] = kept(script('odd', folder, method, seed));

  return { name, target, rows: { ...rows, ...known }, leftOut: left, densities, quality, fills, odd };
}

function took({ wall, processor, peakMiB, limited }) {
  return { wall, processor, peakMiB, limited };
}
