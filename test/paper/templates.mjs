// Section 2.8.1 of M. Goessling's thesis: kernels that are shrunk along a tree of clusters, and a noisy circle.
import { Purpose, RandomStream } from '@orchard/numerics';
import { clusterTree, pathsOf, shrunken } from './shrunken-paths.mjs';
import { gaussian } from './smoothed-trees.mjs';

const ROWS = 100;
const NOISE = 0.15;
const TESTED = 1000;
const BANDWIDTHS = Array.from({ length: 25 }, (_, at) => 0.05 * 1.12 ** at);
const PENALTIES = [0, 0.1, 0.3, 1, 3, 10, 30, 100];
const SHARES = [1, 0.98, 0.95, 0.9, 0.8, 0.7];
const METHODS = ['kernels at the points', 'flat shrinkage', 'hierarchical, L2', 'hierarchical, L1'];

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
  const splits = pathsOf(clusterTree(train, stream));
  const mean = train[0].map((_, d) => train.reduce((sum, point) => sum + point[d], 0) / ROWS);
  const flat = (share) => train.map((point) => point.map((value, d) => mean[d] + share * (value - mean[d])));
  const candidates = {
    [METHODS[0]]: [train],
    [METHODS[1]]: SHARES.map(flat),
    [METHODS[2]]: PENALTIES.map((penalty) => shrunken(train, splits, penalty, 'l2')),
    [METHODS[3]]: PENALTIES.map((penalty) => shrunken(train, splits, penalty, 'l1')),
  };
  const figures = Object.entries(candidates).map(([method, centres]) => {
    let best = { valid: -Infinity };
    for (const own of centres)
      for (const bandwidth of BANDWIDTHS) {
        const nats = meanNats(own, bandwidth, valid);
        if (nats > best.valid) best = { valid: nats, own, bandwidth };
      }
    const away = best.own.reduce((sum, point) => sum + Math.abs(Math.hypot(...point) - 1), 0) / ROWS;
    return [method, { nats: meanNats(best.own, best.bandwidth, test), bandwidth: best.bandwidth, away }];
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

/** Mean log-density of points under kernels of one bandwidth. */
export function meanNats(centres, bandwidth, points) {
  const scale = -Math.log(2 * Math.PI * bandwidth ** 2) - Math.log(centres.length);
  return (
    points.reduce((total, [x, y]) => {
      const sum = centres.reduce(
        (all, [a, b]) => all + Math.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * bandwidth ** 2)),
        0,
      );
      return total + scale + Math.log(Math.max(sum, 1e-300));
    }, 0) / points.length
  );
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
