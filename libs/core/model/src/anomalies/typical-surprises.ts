import { oncePer } from '@orchard/numerics';
import type { TabularModel } from '../tables/tabular-model.js';
import { cellSurprises } from './cell-surprises.js';
import { drawnDensities } from './drawn-densities.js';

/** Rows that a model samples, once, as what is typical of it. */
export const TYPICAL_ROWS = 1000;
const SEED = 0;

/**
 * What the surprise of each column typically is, nats: its mean over rows that the model samples itself. So it belongs
 * to the model, and a row has the same score alone and in any file. One value of a model whose likelihood has no share
 * for each column.
 */
export const typicalSurprises = oncePer((model: TabularModel): Float64Array => {
  const rows = model.sample(TYPICAL_ROWS, SEED);
  const surprises = cellSurprises(model, rows, drawnDensities(model, rows, SEED));
  const typical = new Float64Array(surprises.length / TYPICAL_ROWS);
  surprises.forEach((nats, at) => {
    typical[at % typical.length]! += nats / TYPICAL_ROWS;
  });
  return typical;
});
