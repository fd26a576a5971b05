import { CompiledModule } from '@orchard/numerics';
import { expectationBytes } from './generated/expectation-bytes.js';

/** The functions of assembly/, on a memory of their own. */
export interface ExpectationModule {
  readonly memory: WebAssembly.Memory;
  prepareTile(rates: number, components: number, dimensions: number, odds: number, zeros: number): void;
  logsOfTile(
    odds: number,
    zeros: number,
    words: number,
    tables: number,
    rows: number,
    stride: number,
    count: number,
    added: number,
    logs: number,
  ): void;
  highestOfTile(logs: number, count: number, highest: number): void;
  sharesOfTile(logs: number, count: number, highest: number, totals: number, listed: number): void;
  likelihoodOf(nats: number, count: number, counts: number, highest: number, totals: number): number;
  factorsOf(count: number, counts: number, totals: number): void;
  shareOut(
    first: number,
    second: number,
    count: number,
    factors: number,
    starts: number,
    columns: number,
    rows: number,
    ones: number,
  ): void;
  addNear(rows: number, stride: number, count: number, added: number, nearest: number): void;
  prepareTree(
    rates: number,
    parents: number,
    dimensions: number,
    added: number,
    lane: number,
    zeros: number,
    alone: number,
    withParent: number,
    places: number,
  ): void;
  logsOfTrees(
    starts: number,
    columns: number,
    count: number,
    ones: number,
    zeros: number,
    alone: number,
    withParent: number,
    places: number,
    logs: number,
    highest: number,
  ): void;
  shareRows(
    shares: number,
    count: number,
    counts: number,
    totals: number,
    sums: number,
    rows: number,
    stride: number,
  ): void;
}

/** Components abreast, and the bytes of their numbers. */
export const TILE = 4;
export const TILE_BYTES = 8 * TILE;
/** Bytes for the list of shares that `sharesOfTile` makes: of 256 rows, a share and its place. */
export const LIST_BYTES = 256 * TILE * 12 + 16;
/** Where memory begins that the module has no data in. */
const HEAP = 1024;

const compiled = new CompiledModule(expectationBytes);

export function instantiate(): ExpectationModule {
  return compiled.instantiate();
}

/** Hands out memory, one piece behind the other. */
export class Places {
  constructor(public end = HEAP) {}

  of(bytes: number): number {
    const start = this.end;
    this.end += 16 * Math.ceil(bytes / 16);
    return start;
  }
}
