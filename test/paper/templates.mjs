// Section 2.8.1 of M. Goessling's thesis: kernels that are shrunk along a tree of clusters, and a noisy circle.
import { Purpose, RandomStream } from '@orchard/numerics';
import { comparedKernels, METHODS } from './shrunken-kernels.mjs';
import { gaussian } from './smoothed-trees.mjs';

const ROWS = 100;
const NOISE = 0.15;
const TESTED = 1000;
const BANDWIDTHS = Array.from({ length: 25 }, (_, at) => 0.05 * 1.12 ** at);

/** Figure 2.1: 100 points of a circle with Gaussian noise. */
export async function templates({ quick }) {
  const seeds = Array.from({ length: quick ? 3 : 20 }, (_, seed) => seed);
  const all = [];
  for (const seed of seeds) {
    all.push(compare(seed));
    console.error(`paper: a noisy circle, draw ${seed + 1} of ${seeds.length}`);
    await new Promise(setImmediate);
  }
  const mean = (of) => all.reduce((sum, figures) => sum + of(figures), 0) / all.length;
  const error = (of) => Math.sqrt(mean((own) => (of(own) - mean(of)) ** 2) / (all.length - 1));
  const rows = METHODS.map((method) => {
    const gain = (own) => own[method].nats - own[METHODS[0]].nats;
    return [
      method,
      mean((own) => own[method].nats).toFixed(3),
      method === METHODS[0] ? '' : `${mean(gain).toFixed(3)} ± ${error(gain).toFixed(3)}`,
      mean((own) => own[method].bandwidth).toFixed(3),
      mean((own) => own[method].away).toFixed(3),
    ];
  });
  rows.push(['the true density', mean((own) => own.truth).toFixed(3), '', '', '']);
  return {
    title: 'Thesis, figure 2.1: kernels of a noisy circle, shrunk along a tree of clusters',
    notes: [
      `Mean log-density of ${TESTED} other points, nats, of ${seeds.length} draws of ${ROWS} points of a circle of radius 1 with noise of ${NOISE}; beside it how much more than kernels at the points, with a standard error. As many validation points choose bandwidth, penalty and, of flat shrinkage, how far the kernels go to the mean. "From the circle": mean distance of the kernels' centres.`,
      'The thesis has this figure as pictures, and gives no noise.',
    ],
    table: { head: ['method', 'nats', 'more', 'bandwidth', 'from the circle'], rows },
  };
}

function compare(seed) {
  const stream = new RandomStream(seed, Purpose.sample, 281);
  const [train, valid, test] = [ROWS, ROWS, TESTED].map((count) => drawn(count, stream));
  const figures = Object.entries(comparedKernels({ train, valid, test }, BANDWIDTHS, stream)).map(([method, own]) => {
    const away = own.centres.reduce((sum, point) => sum + Math.abs(Math.hypot(...point) - 1), 0) / ROWS;
    return [method, { ...own, away }];
  });
  const truth = test.reduce((sum, point) => sum + Math.log(trueDensity(point)), 0) / TESTED;
  return { ...Object.fromEntries(figures), truth };
}

function drawn(count, stream) {
  return Array.from({ length: count }, () => {
    const angle = 2 * Math.PI * stream.uniform();
    return [Math.cos(angle) + NOISE * gaussian(stream), Math.sin(angle) + NOISE * gaussian(stream)];
  });
}

/** Of the circle, by its mean over 720 angles. */
function trueDensity([x, y]) {
  let sum = 0;
  for (let step = 0; step < 720; step++) {
    const angle = (2 * Math.PI * step) / 720;
    sum += Math.exp(-((x - Math.cos(angle)) ** 2 + (y - Math.sin(angle)) ** 2) / (2 * NOISE ** 2));
  }
  return sum / (720 * 2 * Math.PI * NOISE ** 2);
}
