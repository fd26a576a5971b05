import { CompiledModule, growMemory, Purpose } from '@orchard/numerics';
import { drawsBytes } from './generated/draws-bytes.js';

/** The functions of assembly/, on a memory of their own. */
interface DrawsModule {
  readonly memory: WebAssembly.Memory;
  bytesOf(predictors: number): number;
  draw(predictors: number, count: number, round: number, purpose: number, keyLow: number, keyHigh: number): number;
}

const compiled = new CompiledModule(drawsBytes);
/** This thread's. */
let draws: DrawsModule | null = null;

/** What a thread keeps of its last draws, bytes: 600 rounds of 25,000 predictors. */
const MOST_KEPT = 16 * 2 ** 20;
const LEAST_ROOM = 2 ** 16;

/**
 * Draws the predictors that one tree may use: `max(1, round(fraction x predictors))` of them, every subset of that size
 * being equally likely (selection sampling). A function of (seed, position, round) alone.
 */
export class FeatureSubset {
  readonly #count: number;

  constructor(
    readonly seed: number,
    readonly position: number,
    readonly fraction: number,
  ) {
    this.#count = Math.max(1, Math.round(fraction * position));
  }

  /** 1 for each predictor that the tree of this round may use. */
  draw(round: number, allowed = new Uint8Array(this.position)): Uint8Array {
    draws ??= compiled.instantiate<DrawsModule>();
    const { memory } = draws;
    const predictors = this.position;
    growMemory(memory, draws.bytesOf(predictors));
    const [keyLow, keyHigh] = [this.seed % 2 ** 32, Math.floor(this.seed / 2 ** 32)];
    const drawn = draws.draw(predictors, this.#count, round, Purpose.features, keyLow, keyHigh);
    allowed.set(new Uint8Array(memory.buffer, drawn, predictors));
    return allowed;
  }
}

/** The draws of one conditional, round after round. */
export interface FeatureDraws {
  /** Valid until the next draw. */
  draw(round: number): Uint8Array;
}

/** Draws into the same bytes each time. */
export function drawsOfOne(subset: FeatureSubset): FeatureDraws {
  const allowed = new Uint8Array(subset.position);
  return { draw: (round) => subset.draw(round, allowed) };
}

/** The newest in this thread, whose draws lie in {@link room}. */
let last: { readonly subset: FeatureSubset; readonly kept: (Uint8Array | undefined)[] } | null = null;

/** A variable after the other keeps megabytes for a moment: in arrays of their own all memory was gone through anew. */
let room = new Uint8Array(LEAST_ROOM);
let taken = 0;

/** Bytes until other draws are the newest. */
function takeRoom(bytes: number): Uint8Array<ArrayBuffer> {
  if (taken + bytes > room.length) {
    room = new Uint8Array(Math.max(2 * room.length, bytes));
    taken = 0;
  }
  taken += bytes;
  return room.subarray(taken - bytes, taken);
}

/**
 * For the decisions of a table's variable: they have the same predictors, and so the same draws, which take longer than
 * a tree does where predictors are many and rows are few. The first rounds are kept for the next decision.
 *
 * @param mostKept bytes, one a predictor and round
 */
export function sharedDraws(subset: FeatureSubset, mostKept = MOST_KEPT): FeatureDraws {
  const isSame =
    last !== null &&
    last.subset.seed === subset.seed &&
    last.subset.position === subset.position &&
    last.subset.fraction === subset.fraction;
  if (!isSame) {
    last = { subset, kept: [] };
    taken = 0;
  }
  const shared = last!;
  const { kept } = shared;
  const most = Math.floor(mostKept / Math.max(1, subset.position));
  const own = drawsOfOne(subset);
  return {
    draw(round) {
      // what was kept is gone where others came in between
      if (round >= most || shared !== last) return own.draw(round);
      kept[round] ??= subset.draw(round, takeRoom(subset.position));
      return kept[round];
    },
  };
}
