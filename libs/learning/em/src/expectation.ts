import type { CountedRows } from '@orchard/dataset';
import { growMemory } from '@orchard/numerics';
import { instantiate, LIST_BYTES, Places, TILE, TILE_BYTES } from './expectation-module.js';
import type { PreparedProducts } from './prepared-products.js';

/** What the rows say of the components, each by its shares in the rows. */
export interface SharedOut {
  /** Rows of each component. */
  readonly rows: Float64Array;
  /** Of these, those with a 1: `ones[k * dimensions + d]`. */
  readonly ones: Float64Array;
}

/** Rows of a block whose shares are summed before they are added to those of the blocks before it. */
const BLOCK = 1024;
/** Numbers that are in memory together, if they are not those of one block: a tile's tables are made once for all. */
const MOST_SHARES = 2 ** 20;
/** Of four bytes of a row. */
const TABLE_BYTES = 4 * 256 * TILE_BYTES;

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
  natsUnder(products: PreparedProducts): number {
    return this.#run(products, null);
  }

  /** And each row shared out among its components. */
  shared(products: PreparedProducts): { readonly nats: number; readonly shares: SharedOut } {
    const { weights, rates } = products;
    const shares = { rows: new Float64Array(weights.length), ones: new Float64Array(rates.length) };
    return { nats: this.#run(products, shares), shares };
  }

  #run({ dimensions, weights, logWeights, odds, zeros }: PreparedProducts, sums: SharedOut | null): number {
    const module = this.#module;
    const { distinct } = this.counted;
    const { stride } = distinct;
    const words = Math.ceil(dimensions / 32);
    const tiles = Math.ceil(weights.length / TILE);
    // rows are shared out to two tiles at once: where their number is odd, one more has no shares
    const pairs = Math.ceil(tiles / 2);
    const blocks = Math.max(1, Math.floor(MOST_SHARES / (tiles * TILE * BLOCK)));
    const most = Math.min(blocks * BLOCK, distinct.rows);

    const place = new Places(this.#heap);
    const addedAt = place.of(logWeights.byteLength);
    const oddsAt = place.of(odds.byteLength);
    const zerosAt = place.of(zeros.byteLength);
    const tables = place.of(TABLE_BYTES);
    const listed = place.of(LIST_BYTES);
    const shares = place.of(2 * pairs * most * TILE_BYTES);
    const highest = place.of(8 * most);
    const totals = place.of(8 * most);
    const rowSums = place.of(sums === null ? 0 : 2 * pairs * TILE_BYTES);
    const ones = place.of(sums === null ? 0 : 2 * pairs * dimensions * TILE_BYTES);
    growMemory(module.memory, place.end);
    const { buffer } = module.memory;
    new Float64Array(buffer, addedAt).set(logWeights);
    new Float64Array(buffer, oddsAt).set(odds);
    new Float64Array(buffer, zerosAt).set(zeros);
    new Uint8Array(buffer, rowSums, place.end - rowSums).fill(0);
    const sharesOf = (tile: number): number => shares + tile * most * TILE_BYTES;
    if (sums !== null && tiles < 2 * pairs) new Uint8Array(buffer, sharesOf(tiles), most * TILE_BYTES).fill(0);

    let nats = 0;
    for (let first = 0; first < distinct.rows; first += most) {
      const count = Math.min(most, distinct.rows - first);
      new Float64Array(buffer, highest, count).fill(-Infinity);
      new Float64Array(buffer, totals, count).fill(0);
      for (let tile = 0; tile < tiles; tile++) {
        const ownOdds = oddsAt + tile * words * 32 * TILE_BYTES;
        const ownZeros = zerosAt + tile * words * 4 * TILE_BYTES;
        const rows = this.#rows + first * stride;
        const added = addedAt + tile * TILE_BYTES;
        module.logsOfTile(ownOdds, ownZeros, words, tables, rows, stride, count, added, sharesOf(tile));
        module.highestOfTile(sharesOf(tile), count, highest);
      }
      for (let tile = 0; tile < tiles; tile++) module.sharesOfTile(sharesOf(tile), count, highest, totals, listed);
      nats = module.likelihoodOf(nats, count, this.#counts + 8 * first, highest, totals);
      if (sums === null) continue;
      module.factorsOf(count, this.#counts + 8 * first, totals);
      for (let pair = 0; pair < pairs; pair++)
        for (let row = 0; row < count; row += BLOCK)
          module.shareOut(
            sharesOf(2 * pair) + row * TILE_BYTES,
            sharesOf(2 * pair + 1) + row * TILE_BYTES,
            Math.min(BLOCK, count - row),
            totals + 8 * row,
            this.#starts + 4 * (first + row),
            this.#columns,
            rowSums + pair * 2 * TILE_BYTES,
            ones + pair * dimensions * 2 * TILE_BYTES,
          );
    }
    if (sums !== null) {
      sums.rows.set(new Float64Array(buffer, rowSums, weights.length));
      const abreast = 2 * TILE;
      const tiled = new Float64Array(buffer, ones);
      for (let k = 0, at = 0; k < weights.length; k++) {
        const own = Math.floor(k / abreast) * dimensions * abreast + (k % abreast);
        for (let dim = 0; dim < dimensions; dim++, at++) sums.ones[at] = tiled[own + abreast * dim]!;
      }
    }
    return nats;
  }
}
