import type { RandomStream } from '@orchard/numerics';
import type { CountedRows } from './counted-rows.js';
import { expectation, type Products, type SharedOut } from './expectation.js';
import { spreadRows } from './spread-rows.js';

export interface EmOptions {
  /** K; fewer where there are fewer rows that differ. */
  readonly components: number;
  /** Rows of the overall mean that each component is given beside its own. */
  readonly pseudoCount: number;
  /** At most. */
  readonly steps: number;
}

export interface Learned {
  readonly products: Products;
  /** Summed nats of the validation rows. */
  readonly validNats: number;
  /** Of EM, to this mixture. */
  readonly step: number;
}

/** How much of its first row a component has before the first step; the rest is the overall mean. */
const OWN = 0.25;
/** EM ends where a step gains less, nats a training row. */
const LEAST_GAIN = 1e-5;
/** EM ends where so many steps have not made the validation rows likelier. */
const PATIENCE = 10;
/** Of a rate to 0 and 1: a component of many rows and few pseudo-rows would reach them by rounding. */
const MARGIN = 2 ** -50;

/**
 * A mixture of products by EM. Each component begins near a row of its own; after each step its rates are
 * (Σ shares x + a m) / (Σ shares + a), m the overall mean, a the pseudo-count, and its weight in proportion to Σ shares + 1: the mode under
 * Beta and Dirichlet priors, but for the edges. Of all steps the mixture is kept by which the validation rows are likeliest.
 *
 * @returns null where it was cancelled
 */
export function learnProducts(
  train: CountedRows,
  valid: CountedRows,
  { components, pseudoCount, steps }: EmOptions,
  stream: RandomStream,
  isCancelled: () => boolean = () => false,
): Learned | null {
  const mean = meanOf(train);
  let products = beginning(train, components, mean, stream);
  let best: Learned | null = null;
  let before = -Infinity;
  for (let step = 1; step <= steps; step++) {
    if (isCancelled()) return null;
    const sums: SharedOut = {
      rows: new Float64Array(products.weights.length),
      ones: new Float64Array(products.rates.length),
    };
    const nats = expectation(train, products, sums);
    products = maximized(sums, mean, pseudoCount);
    const validNats = expectation(valid, products, null);
    if (best === null || validNats > best.validNats) best = { products, validNats, step };
    else if (step - best.step >= PATIENCE) break;
    if (nats - before < LEAST_GAIN * train.rows) break;
    before = nats;
  }
  return best;
}

/** (ones + 1) / (N + 2) of each column. */
function meanOf({ distinct, counts, rows }: CountedRows): Float64Array {
  const { dimensions } = distinct;
  const ones = new Float64Array(dimensions);
  for (let row = 0; row < distinct.rows; row++)
    for (let dim = 0; dim < dimensions; dim++) if (distinct.get(row, dim) === 1) ones[dim]! += counts[row]!;
  return ones.map((own) => (own + 1) / (rows + 2));
}

/** Components of equal weight, each near a row that differs from those of the others. */
function beginning(train: CountedRows, components: number, mean: Float64Array, stream: RandomStream): Products {
  const { distinct } = train;
  const { dimensions } = distinct;
  const rows = spreadRows(train, components, stream);
  const rates = new Float64Array(rows.length * dimensions);
  rows.forEach((row, k) => {
    for (let dim = 0; dim < dimensions; dim++)
      rates[k * dimensions + dim] = OWN * distinct.get(row, dim) + (1 - OWN) * mean[dim]!;
  });
  return { dimensions, weights: new Float64Array(rows.length).fill(1 / rows.length), rates };
}

function maximized({ rows, ones }: SharedOut, mean: Float64Array, pseudoCount: number): Products {
  const dimensions = mean.length;
  const all = rows.reduce((sum, own) => sum + own + 1, 0);
  const rates = ones.map((own, at) => {
    const k = Math.floor(at / dimensions);
    const rate = (own + pseudoCount * mean[at % dimensions]!) / (rows[k]! + pseudoCount);
    return Math.min(Math.max(rate, MARGIN), 1 - MARGIN);
  });
  return { dimensions, weights: rows.map((own) => (own + 1) / all), rates };
}
