import type { Ensemble } from './ensemble.js';

/** Bits of the high word of a double that lie below the 16 significant ones of a factor, and below the 8 of a gain. */
const BELOW_FACTOR = 5;
const BELOW_GAIN = 13;

/**
 * The ensemble with leaf factors of 16 significant bits and gains of 8, the nearest ones: as many as files of version 5
 * hold. A log-odds moves by at most 2^-16 per tree, up or down at random, a share of gain by 0.4 % of itself.
 */
export function roundedEnsemble(ensemble: Ensemble): Ensemble {
  const { leafFactor, splitGain } = ensemble;
  return { ...ensemble, leafFactor: rounded(leafFactor, BELOW_FACTOR), splitGain: rounded(splitGain, BELOW_GAIN) };
}

/** Whether rounding would change nothing. */
export function isRounded({ leafFactor, splitGain }: Ensemble): boolean {
  return areRounded(leafFactor, BELOW_FACTOR) && areRounded(splitGain, BELOW_GAIN);
}

const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Of numbers from 0 on. Halves go up, into the exponent where they must. */
function rounded(values: Float64Array, below: number): Float64Array {
  const words = new Uint32Array(2 * values.length);
  words.set(wordsOf(values));
  const half = 2 ** (below - 1);
  for (let at = 0; at < words.length; at += 2) {
    words[at + HIGH] = ((words[at + HIGH]! + half) >>> below) << below;
    words[at + 1 - HIGH] = 0;
  }
  return new Float64Array(words.buffer);
}

function areRounded(values: Float64Array, below: number): boolean {
  const words = wordsOf(values);
  const lowest = 2 ** below - 1;
  for (let at = 0; at < words.length; at += 2)
    if ((words[at + HIGH]! & lowest) !== 0 || words[at + 1 - HIGH] !== 0) return false;
  return true;
}

function wordsOf({ buffer, byteOffset, length }: Float64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}
