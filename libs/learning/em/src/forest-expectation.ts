import type { CountedRows } from '@orchard/dataset';
import type { Forest } from '@orchard/forests';
import { growMemory, log } from '@orchard/numerics';
import { instantiate, LIST_BYTES, Places, TILE, TILE_BYTES } from './expectation-module.js';

/** A mixture of forests of all columns while it is learned. */
export interface WeightedForests {
  readonly weights: Float64Array;
  readonly forests: readonly Forest[];
}

/** Rows by their shares: `of[k][row]` is how often a distinct row is there times P(component k | row). */
export interface RowShares {
  readonly of: readonly Float64Array[];
  /** Summed of each component. */
  readonly rows: Float64Array;
}

/** Rows whose logarithms under all components are in memory together. */
const BLOCK = 1024;

/**
 * EM's expectation of a mixture of forests over the same rows again and again: a row costs two additions for each of
 * its ones and component, two components at a time. A component less than e^-20 as probable as another, given a row,
 * has no share in it: as of products.
 */
export class ForestExpectation {
  readonly #module = instantiate();
  readonly #counts: number;
  readonly #starts: number;
  readonly #columns: number;
  /** All bits of the columns in which a row is 1, while it is looked at. */
  readonly #ones: number;
  readonly #heap: number;

  constructor(readonly counted: CountedRows) {
    const { distinct, counts, starts, columns } = counted;
    const place = new Places();
    this.#counts = place.of(counts.byteLength);
    this.#starts = place.of(starts.byteLength);
    this.#columns = place.of(columns.byteLength);
    this.#ones = place.of(8 * distinct.dimensions);
    this.#heap = place.end;
    growMemory(this.#module.memory, this.#heap);
    const { buffer } = this.#module.memory;
    new Float64Array(buffer, this.#counts).set(counts);
    new Uint32Array(buffer, this.#starts).set(starts);
    new Uint32Array(buffer, this.#columns).set(columns);
  }

  /** Summed nats of all rows under a mixture. */
  natsUnder(mixture: WeightedForests): number {
    return this.#run(mixture, false).nats;
  }

  /** And each row shared out among the components: good until it is asked again. */
  shared(mixture: WeightedForests): { readonly nats: number; readonly shares: RowShares } {
    const { nats, own, sums } = this.#run(mixture, true);
    const { buffer } = this.#module.memory;
    const { rows } = this.counted.distinct;
    const of = mixture.forests.map((_, k) => new Float64Array(buffer, own + 8 * k * rows, rows));
    return { nats, shares: { of, rows: new Float64Array(buffer, sums, of.length) } };
  }

  /** @returns where the shares of all rows are, of one component after the other, and where they are summed */
  #run({ weights, forests }: WeightedForests, isShared: boolean) {
    const module = this.#module;
    const { distinct } = this.counted;
    const { rows, dimensions } = distinct;
    const tiles = Math.ceil(forests.length / TILE);
    const most = Math.min(BLOCK, rows);
    const tableBytes = dimensions * TILE_BYTES;

    const place = new Places(this.#heap);
    const rates = place.of(16 * dimensions);
    const parents = place.of(4 * dimensions);
    const zeros = place.of(tiles * TILE_BYTES);
    const alone = place.of(tiles * tableBytes);
    const withParent = place.of(tiles * tableBytes);
    const places = place.of((tiles * tableBytes) / 2);
    const shares = place.of(tiles * most * TILE_BYTES);
    const highest = place.of(8 * most);
    const totals = place.of(8 * most);
    const listed = place.of(LIST_BYTES);
    const sums = place.of(isShared ? tiles * TILE_BYTES : 0);
    const own = place.of(isShared ? tiles * rows * TILE_BYTES : 0);
    growMemory(module.memory, place.end);
    const { buffer } = module.memory;
    // those that fill the last tile are never as probable as another
    new Uint8Array(buffer, zeros, shares - zeros).fill(0);
    new Float64Array(buffer, zeros, tiles * TILE).fill(-Infinity);
    forests.forEach((forest, k) => {
      const tile = Math.floor(k / TILE);
      new Float64Array(buffer, rates).set(forest.rates);
      new Int32Array(buffer, parents).set(forest.parents);
      module.prepareTree(
        rates,
        parents,
        dimensions,
        log(weights[k]!),
        k % TILE,
        zeros + tile * TILE_BYTES,
        alone + tile * tableBytes,
        withParent + tile * tableBytes,
        places + (tile * tableBytes) / 2,
      );
    });
    new Uint8Array(buffer, sums, own - sums).fill(0);

    let nats = 0;
    const sharesOf = (tile: number): number => shares + tile * most * TILE_BYTES;
    for (let first = 0; first < rows; first += most) {
      const count = Math.min(most, rows - first);
      const counts = this.#counts + 8 * first;
      new Float64Array(buffer, highest, count).fill(-Infinity);
      new Float64Array(buffer, totals, count).fill(0);
      for (let tile = 0; tile < tiles; tile++)
        module.logsOfTrees(
          this.#starts + 4 * first,
          this.#columns,
          count,
          this.#ones,
          zeros + tile * TILE_BYTES,
          alone + tile * tableBytes,
          withParent + tile * tableBytes,
          places + (tile * tableBytes) / 2,
          sharesOf(tile),
          highest,
        );
      for (let tile = 0; tile < tiles; tile++) module.sharesOfTile(sharesOf(tile), count, highest, totals, listed);
      nats = module.likelihoodOf(nats, count, counts, highest, totals);
      for (let tile = 0; isShared && tile < tiles; tile++)
        module.shareRows(
          sharesOf(tile),
          count,
          counts,
          totals,
          sums + tile * TILE_BYTES,
          own + tile * rows * TILE_BYTES + 8 * first,
          8 * rows,
        );
    }
    return { nats, own, sums };
  }
}
