// Sections 2.1 to 2.3 of M. Goessling's thesis: Gaussian kernels at points that are shrunk, judged by other points.
import { clusterTree, pathsOf, shrunken } from './shrunken-paths.mjs';

const PENALTIES = [0, 0.1, 0.3, 1, 3, 10, 30, 100];
const SHARES = [1, 0.98, 0.95, 0.9, 0.8, 0.7];
export const METHODS = ['kernels at the points', 'flat shrinkage', 'hierarchical, L2', 'hierarchical, L1'];

/**
 * Of each method what the validation points choose: the bandwidth, the same in all directions, and the penalty along a
 * tree of clusters, or how far the kernels go to the mean.
 *
 * @param {{ train: number[][], valid: number[][], test: number[][] }} points
 * @returns {Record<string, { nats: number, valid: number, bandwidth: number, centres: number[][] }>} mean nats of the
 *   test points, and of those that chose
 */
export function comparedKernels({ train, valid, test }, bandwidths, stream) {
  const splits = pathsOf(clusterTree(train, stream));
  const mean = train[0].map((_, d) => train.reduce((sum, point) => sum + point[d], 0) / train.length);
  const flat = (share) => train.map((point) => point.map((value, d) => mean[d] + share * (value - mean[d])));
  const candidates = {
    [METHODS[0]]: [train],
    [METHODS[1]]: SHARES.map(flat),
    [METHODS[2]]: PENALTIES.map((penalty) => shrunken(train, splits, penalty, 'l2')),
    [METHODS[3]]: PENALTIES.map((penalty) => shrunken(train, splits, penalty, 'l1')),
  };
  const chosen = Object.entries(candidates).map(([method, all]) => {
    let best = { valid: -Infinity };
    for (const centres of all)
      kernelNats(centres, valid, bandwidths).forEach((nats, at) => {
        if (nats > best.valid) best = { valid: nats, centres, bandwidth: bandwidths[at] };
      });
    return [method, { ...best, nats: kernelNats(best.centres, test, [best.bandwidth])[0] }];
  });
  return Object.fromEntries(chosen);
}

/** Mean log-density of points under kernels of each bandwidth, nats. */
export function kernelNats(centres, points, bandwidths) {
  const nats = new Float64Array(bandwidths.length);
  const squares = new Float64Array(centres.length);
  for (const point of points) {
    centres.forEach((centre, at) => {
      let sum = 0;
      for (let d = 0; d < point.length; d++) sum += (point[d] - centre[d]) ** 2;
      squares[at] = sum;
    });
    const nearest = squares.reduce((least, square) => Math.min(least, square), Infinity);
    bandwidths.forEach((bandwidth, at) => {
      let sum = 0;
      for (const square of squares) sum += Math.exp((nearest - square) / (2 * bandwidth ** 2));
      nats[at] += Math.log(sum) - nearest / (2 * bandwidth ** 2);
    });
  }
  return nats.map((sum, at) => {
    const scale = (points[0].length / 2) * Math.log(2 * Math.PI * bandwidths[at] ** 2) + Math.log(centres.length);
    return sum / points.length - scale;
  });
}
