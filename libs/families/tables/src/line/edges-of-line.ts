import { exp, highestIn, log, risingRoot, sumOf } from '@orchard/numerics';
import { placeOf } from './line.js';
import { normalScore } from './normal-score.js';

/** By so many rows the scale is found, and the edges by as many places on the line. */
const ROWS_OF_SCALE = 1_024;
const PLACES_OF_EDGES = 256;
/** Of the logistic distribution, in units of the scores, which have a variance of 1. */
const SCALES = { least: 0.03, most: 0.6 } as const;
const FARTHEST_EDGE = 190;
/** Between edges: e^edge has to rise. */
const LEAST_STEP = 1e-6;

/** The scale by which the rows are likeliest, with the edges where the scores have them. */
export function scaleOf(predicted: Float64Array, ranks: Uint32Array, shares: Float64Array): number {
  const asked = everyNth(Uint32Array.from(predicted.keys()), ROWS_OF_SCALE);
  const places = Float64Array.from(asked, (row) => predicted[row]!);
  const own = Uint32Array.from(asked, (row) => ranks[row]!);
  const edges = new Float64Array(shares.length - 1);
  let below = 0;
  for (let edge = 0; edge < edges.length; edge++) {
    below += shares[edge]!;
    edges[edge] = normalScore(below);
  }
  const logarithm = highestIn(
    (at) => sumOf(natsOf(places, own, exp(at), rising(dividedBy(edges, exp(at))))),
    log(SCALES.least),
    log(SCALES.most),
  );
  return exp(logarithm);
}

// Loops, and nothing in them that has to be kept apart: of each line thousands of places are asked for at each of
// hundreds of edges, and what callbacks and pairs of numbers leave behind was half of what training threw away.

/** log P of rows at these places on the line. */
export function natsOf(predicted: Float64Array, ranks: Uint32Array, scale: number, edges: Float64Array): Float64Array {
  const exponentials = new Float64Array(edges.length + 1);
  for (let edge = 0; edge < edges.length; edge++) exponentials[edge] = exp(edges[edge]!);
  exponentials[edges.length] = Infinity;
  const nats = new Float64Array(predicted.length);
  for (let row = 0; row < nats.length; row++) {
    const place = placeOf(predicted[row]! / scale);
    const rank = ranks[row]!;
    const low = rank === 0 ? 0 : exponentials[rank - 1]!;
    const high = exponentials[rank]!;
    // place / (low + place) stays within bounds where the product of both would not
    const share = place / (low + place);
    nats[row] = high === Infinity ? log(share) : log(share) + log((high - low) / (high + place));
  }
  return nats;
}

/** The edges, in units of the scale, between which rows at these places have each value's share. */
export function edgesOf(predicted: Float64Array, scale: number, shares: Float64Array): Float64Array {
  const sorted = predicted.slice().sort();
  const step = Math.max(1, sorted.length / PLACES_OF_EDGES);
  const found: number[] = [];
  for (let at = step / 2; at < sorted.length; at += step) found.push(placeOf(sorted[Math.floor(at)]! / scale));
  const places = Float64Array.from(found);
  const edges = new Float64Array(shares.length - 1);
  let below = 0;
  let least = -FARTHEST_EDGE;
  for (let edge = 0; edge < edges.length; edge++) {
    const before = below;
    below += shares[edge]!;
    const goal = below;
    const sharesBelow = (at: number): readonly [number, number] => shareBelow(places, exp(at), goal);
    // as far from the edge before as if all rows were at one place
    const ahead = edge === 0 ? log(below / (1 - below)) : least + log(below / before) + log((1 - before) / (1 - below));
    const first = ahead > least && ahead < FARTHEST_EDGE ? ahead : (least + FARTHEST_EDGE) / 2;
    least = risingRoot(sharesBelow, least, FARTHEST_EDGE, first);
    edges[edge] = least;
  }
  return rising(edges);
}

/** The share of all places below an edge less its goal, and how fast it rises there. @param exponential e^edge */
function shareBelow(places: Float64Array, exponential: number, goal: number): readonly [number, number] {
  let share = 0;
  let slope = 0;
  for (let at = 0; at < places.length; at++) {
    const own = exponential / (exponential + places[at]!);
    share += own;
    slope += own * (1 - own);
  }
  return [share / places.length - goal, slope / places.length];
}

function dividedBy(edges: Float64Array, scale: number): Float64Array {
  const divided = new Float64Array(edges.length);
  for (let edge = 0; edge < edges.length; edge++) divided[edge] = edges[edge]! / scale;
  return divided;
}

function rising(edges: Float64Array): Float64Array {
  for (let edge = 1; edge < edges.length; edge++) edges[edge] = Math.max(edges[edge]!, edges[edge - 1]! + LEAST_STEP);
  return edges;
}

/** Every n-th row where they are more than so many. */
export function everyNth(rows: Uint32Array, most: number): Uint32Array {
  const step = Math.max(1, Math.ceil(rows.length / most));
  if (step === 1) return rows;
  return rows.filter((_, at) => at % step === 0);
}
