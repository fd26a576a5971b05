import { philox4x32, Purpose } from '@orchard/numerics';

/** What a thread keeps of its last draws, bytes: 600 rounds of 25,000 predictors. */
const MOST_KEPT = 16 * 2 ** 20;

/**
 * Draws the predictors that one tree may use: `max(1, round(fraction x predictors))` of them, every subset of that size
 * being equally likely (selection sampling). A function of (seed, position, round) alone.
 */
export class FeatureSubset {
  readonly #count: number;
  readonly #block = new Uint32Array(4);

  constructor(
    readonly seed: number,
    readonly position: number,
    readonly fraction: number,
  ) {
    this.#count = Math.max(1, Math.round(fraction * position));
  }

  /** 1 for each predictor that the tree of this round may use. */
  draw(round: number, allowed = new Uint8Array(this.position)): Uint8Array {
    const block = this.#block;
    const keyLow = this.seed % 2 ** 32;
    const keyHigh = Math.floor(this.seed / 2 ** 32);
    let needed = this.#count;
    for (let predictor = 0; predictor < allowed.length; predictor++) {
      const lane = predictor & 3;
      if (lane === 0) philox4x32(block, predictor >>> 2, round, this.position, Purpose.features, keyLow, keyHigh);
      // no branch, which would be mispredicted every second time
      const chosen = Number(block[lane]! * 2 ** -32 * (allowed.length - predictor) < needed);
      allowed[predictor] = chosen;
      needed -= chosen;
    }
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

/** The newest in this thread. */
let last: { readonly subset: FeatureSubset; readonly kept: Uint8Array[] } | null = null;

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
  const { kept } = isSame ? last! : { kept: [] };
  last = { subset, kept };
  const most = Math.floor(mostKept / Math.max(1, subset.position));
  const own = drawsOfOne(subset);
  return {
    draw(round) {
      if (round >= most) return own.draw(round);
      kept[round] ??= subset.draw(round);
      return kept[round];
    },
  };
}
