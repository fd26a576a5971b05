import { CompiledModule, growMemory } from '@orchard/numerics';
import type { Experts } from './experts.js';
import { candidatesBytes } from './generated/candidates-bytes.js';

/** The functions of assembly/index.ts, on a memory of their own. */
interface CandidatesModule {
  readonly memory: WebAssembly.Memory;
  begin(values: number, places: number, sums: number, dimensions: number): void;
  addExpert(expert: number, places: number, sums: number, dimensions: number): void;
  natsOfTile(tile: number, places: number, sums: number, dimensions: number, nats: number): void;
}

/** Experts abreast. */
const TILE = 8;
/** Numbers of one column of a tile: what each expert adds to the scale for 1, to that for 0, and to both. */
const COLUMN = 3 * TILE;
/** Where memory begins that the module has no data in. */
const HEAP = 1024;

const compiled = new CompiledModule(candidatesBytes);

/**
 * A row, experts that explain it, and what each other one would make of it: eight experts abreast, by SIMD. Its memory
 * is its own, 24 bytes of every expert and column.
 */
export class Candidates {
  /** log P(row | those that were added, and this one) of each expert, as it was when they were last asked. */
  readonly nats: Float64Array;
  readonly #tiles: number;
  readonly #module: CandidatesModule;
  readonly #dimensions: number;
  readonly #values: Uint8Array;
  readonly #at: { readonly values: number; readonly places: number; readonly sums: number };
  readonly #natsAt: number;
  readonly #tilesAt: number;

  constructor({ count, dimensions, ones, opinions, expertise }: Experts) {
    this.#module = compiled.instantiate();
    this.#dimensions = dimensions;
    this.#tiles = Math.ceil(count / TILE);
    const cells = this.#tiles * COLUMN * dimensions;
    this.#tilesAt = HEAP;
    this.#natsAt = this.#tilesAt + 8 * cells;
    const sums = this.#natsAt + 8 * TILE * this.#tiles;
    const places = sums + 16 * dimensions;
    const values = places + 4 * dimensions;
    this.#at = { values, places, sums };
    const { memory } = this.#module;
    growMemory(memory, values + dimensions);

    this.#values = new Uint8Array(memory.buffer, values, dimensions);
    this.nats = new Float64Array(memory.buffer, this.#natsAt, count);
    // what fills the last tile belongs to no row, and is any number
    const tiled = new Float64Array(memory.buffer, this.#tilesAt, cells).fill(1);
    for (let expert = 0, from = 0; expert < count; expert++)
      for (let dim = 0, at = this.#laneOf(expert); dim < dimensions; dim++, from++, at += COLUMN) {
        tiled[at] = ones[from]!;
        tiled[at + TILE] = expertise[from]! * (1 - opinions[from]!);
        tiled[at + 2 * TILE] = expertise[from]!;
      }
  }

  /** Another row, with no expert that explains it. @param values 0 or 1 of each column */
  begin(values: Uint8Array): void {
    this.#values.set(values);
    this.#module.begin(this.#at.values, this.#at.places, this.#at.sums, this.#dimensions);
  }

  add(expert: number): void {
    const lane = this.#tilesAt + 8 * this.#laneOf(expert);
    this.#module.addExpert(lane, this.#at.places, this.#at.sums, this.#dimensions);
  }

  /** Makes the `nats` of all experts. */
  ask(): void {
    const { places, sums } = this.#at;
    for (let tile = 0; tile < this.#tiles; tile++) {
      const first = this.#tilesAt + 8 * tile * COLUMN * this.#dimensions;
      this.#module.natsOfTile(first, places, sums, this.#dimensions, this.#natsAt + 8 * TILE * tile);
    }
  }

  /** The place of an expert's first number among those of all tiles. */
  #laneOf(expert: number): number {
    return Math.floor(expert / TILE) * COLUMN * this.#dimensions + (expert % TILE);
  }
}
