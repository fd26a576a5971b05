// The synthetic experiments of M. Goessling's thesis: composition rules (chapter 3), dynamic partitions (chapter 4).
import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { Compositional, PlacedCompositional } from '@orchard/compositional/model';
import {
  placedStartOf,
  placedStepOf,
  Places,
  pixelsOf,
  quadrants,
  startOf as startOfComposition,
  stepOf as composedStepOf,
} from '@orchard/compositional/learning';
import { Purpose, RandomStream } from '@orchard/numerics';
import { Experts, PartitionBound, Pursuit, startOf, stepOf } from '@orchard/partition/learning';
import { sayOften } from './progress.mjs';

const RULES = ['max-minus-min', 'log-odds', 'mean', 'normalized-sum', 'max', 'noisy-or', 'sum-of-odds'];

/** Figures 3.5 and 3.6: images of four quadrants, each black, white or noise; eight experts by every rule. */
export async function compositions({ quick }) {
  const rows = [];
  for (const images of quick ? [100] : [100, 300, 1000])
    for (const start of ['random', 'sequential']) {
      const cells = [];
      for (const composition of RULES) {
        const cell = await composedBy({ images, start, composition });
        cells.push(cell);
        console.error(`paper: ${images} images, ${start} start, ${composition}: ${cell} of 8`);
      }
      rows.push([String(images), start, ...cells]);
    }
  const byRule = {
    title: 'Thesis, figures 3.5 and 3.6: experts of synthetic images, by composition rule',
    notes: [
      'Cross-entropy of 1,000 other images under the templates that explain them, nats (the images leave 12.48 open), and how many of eight experts were found: the mean of the quadrant beyond .85 or below .15, that of the rest within .1 of 1/2. Of 8 runs of EM of 10 steps each, the one that explains its training rows best.',
      'The last three rules know no white: under them four experts can be found, of the black quadrants, whose rest is near 0.',
      'The thesis has these figures as pictures.',
    ],
    table: { head: ['images', 'start', ...RULES], rows },
  };
  return [byRule, await manyExperts()];
}

/** The likelihood of more and more experts: exact while all sets can be summed over, and the bound beside it. */
async function manyExperts() {
  const train = attachRows(shareRows(quadrants(300, 1)));
  const test = quadrants(200, 2);
  const places = new Places(train.distinct.dimensions, null);
  const head = { dimensions: places.dimensions, names: null, shape: null, specification: null, likelihoods: {} };
  const meanOf = (model) => model.logLikelihood(test).reduce((sum, nats) => sum + nats, 0) / test.rows;
  const rows = [];
  for (const count of [8, 14, 24, 40]) {
    const options = { composition: 'max-minus-min', experts: count, start: 'sequential' };
    let placed = placedStartOf(train, options, places, new RandomStream(0, Purpose.restart, 0));
    for (let step = 0; step < 5; step++) {
      ({ placed } = placedStepOf(train, placed));
      // a signal is heard between two steps
      await new Promise(setImmediate);
    }
    const bound = meanOf(new PlacedCompositional(head, placed));
    const exact = count <= 14 ? meanOf(new Compositional(head, placed.experts)) : null;
    rows.push([
      String(count),
      exact === null ? 'not summed' : exact.toFixed(2),
      bound.toFixed(2),
      exact === null ? '' : (exact - bound).toFixed(2),
    ]);
    console.error(`paper: ${count} experts`);
  }
  return {
    title: 'Thesis, chapter 3: more experts than can be summed over',
    notes: [
      'Mean nats of 200 such images under experts of 300 others, one sequential start and 5 steps of EM: by all sets of experts, and by the lower bound that more of them have: one explanation and all that differ from it in one expert. Eight experts are what the images are made of.',
    ],
    table: { head: ['experts', 'exact', 'bound', 'too low by'], rows },
  };
}

async function composedBy({ images, start, composition }) {
  const train = attachRows(shareRows(quadrants(images, 1)));
  let [best, highest, said] = [null, -Infinity, 0];
  for (let restart = 0; restart < 8; restart++) {
    const stream = new RandomStream(0, Purpose.restart, restart);
    let experts = startOfComposition(train, { composition, experts: 8, start }, stream);
    let explained = -Infinity;
    for (let step = 0; step < 10; step++) {
      ({ experts, explained } = composedStepOf(train, experts));
      // a signal is heard between two steps
      await new Promise(setImmediate);
      said = sayOften(said, `${images} images, ${start} start, ${composition}: run ${restart + 1} of 8`);
    }
    if (explained > highest) [best, highest] = [experts, explained];
  }
  const { explained } = composedStepOf(attachRows(shareRows(quadrants(1000, 2))), best);
  return `${(-explained / 1000).toFixed(2)}, ${foundIn(best)}`;
}

/** Quadrants, black or white, of which an expert speaks, and of nothing else. */
function foundIn(experts) {
  const silent = experts.abstaining < 1 / 4 ? 0 : 1 / 2;
  const found = new Set();
  for (let expert = 0; expert < experts.count; expert++)
    for (let quadrant = 0; quadrant < 4; quadrant++) {
      const template = experts.template(expert);
      const inside = pixelsOf(quadrant).reduce((sum, dim) => sum + template[dim], 0) / 9;
      const outside = (template.reduce((sum, rate) => sum + rate, 0) - 9 * inside) / 27;
      const isSure = inside > 0.85 || (silent > 0 && inside < 0.15);
      if (isSure && Math.abs(outside - silent) < 0.1) found.add(`${quadrant} ${inside > 1 / 2}`);
    }
  return found.size;
}

/** Figure 4.1, and how loose the bound is by which many experts are judged. */
export async function partitions({ quick }) {
  const starts = quick ? 20 : 100;
  const rows = [];
  for (const factor of [2, 4]) {
    const ends = Array.from({ length: starts }, (_, restart) => pairsFound(restart, factor));
    const whole = ends.filter(({ isComposed }) => isComposed);
    rows.push([`C = ${factor}`, String(whole.length), String(whole.filter(({ isOfPairs }) => isOfPairs).length)]);
    console.error(`paper: figure 4.1, C = ${factor}`);
    await new Promise(setImmediate);
  }
  return [
    {
      title: 'Thesis, figure 4.1: five pairs of columns, each 01 or 10; ten experts',
      notes: [
        `Of ${starts} random starts, 30 steps each, how many end in experts that compose all 32 rows as well as the prior lets them, and how many of these in the ten experts of the figure: each of one pair and one of its states. The thesis shows one run.`,
      ],
      table: { head: ['levels change by', 'compose all rows', 'as in the figure'], rows },
    },
    looseness(),
  ];
}

function pairsFound(restart, factor) {
  const matrix = BitMatrix.fromRows(
    Array.from({ length: 32 }, (_, number) =>
      Array.from({ length: 5 }, (_, pair) => ((number >> pair) & 1 ? '10' : '01')).join(''),
    ),
  );
  const train = attachRows(shareRows(matrix));
  let experts = startOf(10, 10, new RandomStream(0, Purpose.restart, restart));
  for (let step = 0; step < 30; step++) ({ experts } = stepOf(train, experts, { pseudoCount: 1, factor }));
  const pursuit = new Pursuit(experts);
  const values = new Uint8Array(10);
  // 16 rows and one of the mean say .5 / 17 of what never is
  const best = 10 * Math.log(1 - 0.5 / 17);
  let isComposed = true;
  for (let row = 0; row < 32; row++) {
    matrix.readRow(row, values);
    isComposed &&= pursuit.explain(values).nats > best - 0.05;
  }
  const states = Array.from({ length: 10 }, (_, expert) => {
    const opinions = experts.opinions.subarray(10 * expert, 10 * expert + 10);
    const sure = [...opinions.keys()].filter((dim) => Math.abs(opinions[dim] - 0.5) > 0.25);
    const isPair = sure.length === 2 && sure[0] % 2 === 0 && sure[1] === sure[0] + 1;
    return isPair ? `${sure[0]}:${Math.round(opinions[sure[0]])}` : null;
  });
  return { isComposed, isOfPairs: !states.includes(null) && new Set(states).size === 10 };
}

const ROWS = 30;

/** The bound beside the sum over all sets of experts, of drawn experts that are still few enough for it. */
function looseness() {
  const rows = [
    { count: 20, dimensions: 8, share: 0.2 },
    { count: 20, dimensions: 8, share: 0.1 },
    { count: 16, dimensions: 60, share: 0.2 },
    { count: 16, dimensions: 60, share: 0.1 },
  ].map(({ count, dimensions, share }) => {
    const experts = drawnExperts(count, dimensions, share);
    const head = { dimensions, names: null, shape: null, specification: null, likelihoods: {} };
    const bound = new PartitionBound(head, experts);
    const sampled = bound.sample(ROWS, 5);
    const meanOf = (nats) => nats.reduce((sum, own) => sum + own, 0) / ROWS;
    const values = new Uint8Array(dimensions);
    const exact = meanOf(
      Array.from({ length: ROWS }, (_, row) => {
        sampled.readRow(row, values);
        return exactNats(experts, values);
      }),
    );
    const low = meanOf(bound.logLikelihood(sampled));
    const cells = [exact, low, exact - low].map((nats) => nats.toFixed(2));
    return [String(count), String(dimensions), String(share), ...cells];
  });
  return {
    title: 'Thesis, chapter 4: how loose the bound of many experts is',
    notes: [
      `Mean nats of ${ROWS} rows that drawn experts sample, beside the sum over all sets of experts. The fewer columns and the more experts take part, the more sets share a row, and the more the bound leaves out.`,
    ],
    table: { head: ['experts', 'columns', 'take part', 'exact', 'bound', 'too low by'], rows },
  };
}

function drawnExperts(count, dimensions, share) {
  const stream = new RandomStream(3, Purpose.sample, 77);
  const cells = { length: count * dimensions };
  const uniform = () => stream.uniform();
  return new Experts({
    dimensions,
    active: Float64Array.from({ length: count }, () => share * (0.5 + uniform())),
    opinions: Float64Array.from(cells, () => (uniform() < 0.5 ? 0.02 + 0.2 * uniform() : 0.98 - 0.2 * uniform())),
    expertise: Float64Array.from(cells, () => Math.exp(4 * (uniform() - 0.5))),
  });
}

/** log P of a row by all sets, each made from the one before by one expert (Gray's code). */
function exactNats({ count, dimensions, active, ones, expertise }, values) {
  const [one, whole] = [new Float64Array(dimensions), new Float64Array(dimensions)];
  const stay = active.reduce((product, share) => product * (1 - share), 1);
  let [sum, prior, set] = [0, stay, 0];
  for (let number = 1; number < 2 ** count; number++) {
    const expert = 31 - Math.clz32(number & -number);
    set ^= 1 << expert;
    const sign = (set >> expert) & 1 ? 1 : -1;
    prior *= (active[expert] / (1 - active[expert])) ** sign;
    let p = 1;
    for (let dim = 0; dim < dimensions; dim++) {
      one[dim] += sign * ones[expert * dimensions + dim];
      whole[dim] += sign * expertise[expert * dimensions + dim];
      const rate = one[dim] / whole[dim];
      p *= values[dim] === 1 ? rate : 1 - rate;
    }
    sum += prior * p;
  }
  return Math.log(sum / (1 - stay));
}
