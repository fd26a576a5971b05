import { growMemory, log } from '@orchard/numerics';
import { instantiate, Places, TILE, TILE_BYTES } from './expectation-module.js';

/** A mixture of products while it is learned. */
export interface Products {
  readonly dimensions: number;
  readonly weights: Float64Array;
  /** P(1) of column d under component k: `rates[k * dimensions + d]`, above 0 and below 1. */
  readonly rates: Float64Array;
}

/**
 * And the logarithms that rows are asked by, of as many components as fill tiles of four, and of as many columns as
 * fill words of 32. Those that fill a tile have a weight of 0, columns that fill a word add nothing.
 */
export interface PreparedProducts extends Products {
  readonly logWeights: Float64Array;
  /** Log-odds of column d under component k of a tile: element `4 * d + k` of the tile's. */
  readonly odds: Float64Array;
  /** log P of the eight columns of byte b all 0: element `4 * b + k` of the tile's. */
  readonly zeros: Float64Array;
}

/** Makes logarithms of rates, once for all rows that are asked by them. */
export class Preparation {
  readonly #module = instantiate();

  of({ dimensions, weights, rates }: Products): PreparedProducts {
    const module = this.#module;
    const tiles = Math.ceil(weights.length / TILE);
    const words = Math.ceil(dimensions / 32);
    const oddsBytes = words * 32 * TILE_BYTES;
    const zerosBytes = words * 4 * TILE_BYTES;
    const place = new Places();
    const ratesAt = place.of(rates.byteLength);
    const oddsAt = place.of(tiles * oddsBytes);
    const zerosAt = place.of(tiles * zerosBytes);
    growMemory(module.memory, place.end);
    const { buffer } = module.memory;
    new Float64Array(buffer, ratesAt).set(rates);
    new Uint8Array(buffer, oddsAt, place.end - oddsAt).fill(0);
    for (let tile = 0; tile < tiles; tile++) {
      const components = Math.min(TILE, weights.length - tile * TILE);
      const own = ratesAt + 8 * tile * TILE * dimensions;
      module.prepareTile(own, components, dimensions, oddsAt + tile * oddsBytes, zerosAt + tile * zerosBytes);
    }
    const logWeights = new Float64Array(tiles * TILE).fill(-Infinity);
    logWeights.set(weights.map(log));
    const odds = new Float64Array(buffer, oddsAt, (tiles * oddsBytes) / 8).slice();
    const zeros = new Float64Array(buffer, zerosAt, (tiles * zerosBytes) / 8).slice();
    return { dimensions, weights, rates, logWeights, odds, zeros };
  }
}
