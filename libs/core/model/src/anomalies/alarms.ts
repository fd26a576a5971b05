import { firstThat } from '@orchard/numerics';

/** When a score is an alarm, by scores of usual rows that the model did not learn from. */
export interface Alarms {
  /** Of each scored row 1 where it is one. */
  readonly alarms: Uint8Array;
  /** Usual scores that a row is compared with. */
  readonly usualRows: number;
  /** The rate that so many usual rows promise: at most what was asked for. */
  readonly promised: number;
  /** Scores above it are alarms; the last one of a window. */
  readonly threshold: number;
}

/** The fewest usual rows that can promise a rate. */
export function leastUsualRows(rate: number): number {
  return Math.ceil(1 / rate - 1e-9) - 1;
}

/**
 * Alarms that keep a rate. A row is one if its score is above the k-th highest of n usual scores, k = ⌊rate (n + 1)⌋:
 * of rows like the usual ones a share of at most k / (n + 1) is, whatever their scores are distributed like.
 *
 * @param usual scores of usual rows, at least {@link leastUsualRows}
 * @param window compares each row with so many scores before it, first of usual rows and then of the rows themselves,
 *   alarms among them: so a slow drift does not raise the rate. @default every row is compared with the usual ones
 */
export function alarmsOf(usual: Float64Array, scores: Float64Array, rate: number, window: number | null): Alarms {
  const size = window === null ? usual.length : Math.min(window, usual.length);
  const rank = Math.floor(rate * (size + 1) + 1e-9);
  const recent = Array.from(usual.subarray(usual.length - size));
  const ascending = Float64Array.from(recent).sort();
  const alarms = new Uint8Array(scores.length);
  scores.forEach((score, row) => {
    alarms[row] = Number(score > ascending[size - rank]!);
    if (window === null) return;
    recent.push(score);
    replaceIn(ascending, recent[row]!, score);
  });
  return { alarms, usualRows: size, promised: rank / (size + 1), threshold: ascending[size - rank]! };
}

/** Takes one number out of ascending ones and puts another in. */
function replaceIn(ascending: Float64Array, out: number, into: number): void {
  const from = firstThat(ascending.length, (place) => ascending[place]! >= out);
  ascending.copyWithin(from, from + 1);
  // the last number stands twice now
  const to = firstThat(ascending.length - 1, (place) => ascending[place]! >= into);
  ascending.copyWithin(to + 1, to, ascending.length - 1);
  ascending[to] = into;
}
