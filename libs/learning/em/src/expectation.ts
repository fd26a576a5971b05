import type { CountedRows } from '@orchard/dataset';
import { growMemory, log } from '@orchard/numerics';
import { instantiate, Places, TILE, TILE_BYTES } from './expectation-module.js';

/** A mixture of products while it is learned. */
export interface Products {
  readonly dimensions: number;
  readonly weights: Float64Array;
  /** P(1) of column d under component k: `rates[k * dimensions + d]`. */
  readonly rates: Float64Array;
}

/** What the rows say of the components, each by its shares in the rows. */
export interface SharedOut {
  /** Rows of each component. */
  readonly rows: Float64Array;
  /** Of these, those with a 1: `ones[k * dimensions + d]`. */
  readonly ones: Float64Array;
}

/** Rows of a block whose shares are summed before they are added to those of the blocks before it. */
const BLOCK = 1024;
/**
 * Numbers that are in memory together, if they are not those of one block: the tables of a tile are made once for so
 * many rows.
 */
const MOST_SHARES = 2 ** 20;

/**
 * EM's expectation over the same rows again and again: log P of all of them, and each shared out among the components
 * by how probable each is given it. Rows x components x D / 8 additions, two of them at a time; a component less than
 * e^-20 as probable as another, given a row, has no share in it.
 */
export class Expectation {
  readonly #module = instantiate();
  readonly #rows: number;
  readonly #counts: number;
  readonly #starts: number;
  readonly #columns: number;
  readonly #heap: number;

  constructor(readonly counted: CountedRows) {
    const { distinct, counts, starts, columns } = counted;
    const place = new Places();
    this.#rows = place.of(distinct.bytes.byteLength);
    this.#counts = place.of(counts.byteLength);
    this.#starts = place.of(starts.byteLength);
    this.#columns = place.of(columns.byteLength);
    this.#heap = place.end;
    growMemory(this.#module.memory, this.#heap);
    const { buffer } = this.#module.memory;
    new Uint8Array(buffer).set(distinct.bytes, this.#rows);
    new Float64Array(buffer, this.#counts).set(counts);
    new Uint32Array(buffer, this.#starts).set(starts);
    new Uint32Array(buffer, this.#columns).set(columns);
  }

  /** Summed nats of all rows under a mixture. */
  natsUnder(products: Products): number {
    return this.#run(products, null);
  }

  /** And each row shared out among its components. */
  shared(products: Products): { readonly nats: number; readonly shares: SharedOut } {
    const { weights, rates } = products;
    const shares = { rows: new Float64Array(weights.length), ones: new Float64Array(rates.length) };
    return { nats: this.#run(products, shares), shares };
  }

  #run({ dimensions, weights, rates }: Products, sums: SharedOut | null): number {
    const module = this.#module;
    const { distinct } = this.counted;
    const { stride } = distinct;
    const bytes = Math.ceil(dimensions / 8);
    const tiles = Math.ceil(weights.length / TILE);
    const blocks = Math.max(1, Math.floor(MOST_SHARES / (tiles * TILE * BLOCK)));
    const most = Math.min(blocks * BLOCK, distinct.rows);

    const place = new Places(this.#heap);
    const rateAt = place.of(rates.byteLength);
    const added = place.of(tiles * TILE_BYTES);
    const odds = place.of(tiles * bytes * 8 * TILE_BYTES);
    const zeros = place.of(tiles * bytes * TILE_BYTES);
    const tables = place.of(bytes * 256 * TILE_BYTES);
    const shares = place.of(tiles * most * TILE_BYTES);
    const highest = place.of(8 * most);
    const totals = place.of(8 * most);
    const rowSums = place.of(sums === null ? 0 : tiles * TILE_BYTES);
    const ones = place.of(sums === null ? 0 : tiles * dimensions * TILE_BYTES);
    growMemory(module.memory, place.end);
    const { buffer } = module.memory;
    new Float64Array(buffer, rateAt).set(rates);
    // those that fill the last tile are never as probable as another
    const logWeights = new Float64Array(buffer, added, tiles * TILE).fill(-Infinity);
    logWeights.set(weights.map(log));
    new Uint8Array(buffer, rowSums, place.end - rowSums).fill(0);
    for (let tile = 0; tile < tiles; tile++) {
      const components = Math.min(TILE, weights.length - tile * TILE);
      const from = rateAt + 8 * tile * TILE * dimensions;
      module.prepareTile(
        from,
        components,
        dimensions,
        odds + tile * bytes * 8 * TILE_BYTES,
        zeros + tile * bytes * TILE_BYTES,
      );
    }

    let nats = 0;
    for (let first = 0; first < distinct.rows; first += most) {
      const count = Math.min(most, distinct.rows - first);
      new Float64Array(buffer, highest, count).fill(-Infinity);
      new Float64Array(buffer, totals, count).fill(0);
      const sharesOf = (tile: number): number => shares + tile * most * TILE_BYTES;
      for (let tile = 0; tile < tiles; tile++) {
        module.makeTables(odds + tile * bytes * 8 * TILE_BYTES, zeros + tile * bytes * TILE_BYTES, bytes, tables);
        const rows = this.#rows + first * stride;
        module.logsOfTile(tables, bytes, rows, stride, count, added + tile * TILE_BYTES, sharesOf(tile), highest);
      }
      for (let tile = 0; tile < tiles; tile++) module.sharesOfTile(sharesOf(tile), count, highest, totals);
      nats = module.likelihoodOf(nats, count, this.#counts + 8 * first, highest, totals);
      if (sums === null) continue;
      module.factorsOf(count, this.#counts + 8 * first, totals);
      for (let tile = 0; tile < tiles; tile++)
        for (let row = 0; row < count; row += BLOCK)
          module.shareOut(
            sharesOf(tile) + row * TILE_BYTES,
            Math.min(BLOCK, count - row),
            totals + 8 * row,
            this.#starts + 4 * (first + row),
            this.#columns,
            rowSums + tile * TILE_BYTES,
            ones + tile * dimensions * TILE_BYTES,
          );
    }
    if (sums !== null) {
      sums.rows.set(new Float64Array(buffer, rowSums, weights.length));
      const tiled = new Float64Array(buffer, ones);
      for (let k = 0, at = 0; k < weights.length; k++) {
        const own = Math.floor(k / TILE) * dimensions * TILE + (k % TILE);
        for (let dim = 0; dim < dimensions; dim++, at++) sums.ones[at] = tiled[own + TILE * dim]!;
      }
    }
    return nats;
  }
}
