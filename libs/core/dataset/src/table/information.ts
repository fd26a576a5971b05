import { log } from '@orchard/numerics';

/** Groups of about as many rows each, by value: of the column that is given, and of the other two. */
export const GIVEN_GROUPS = 16;
export const GROUPS = 8;
/** The group of rows in which a value is missing, whichever column it is. */
export const NONE = GIVEN_GROUPS;

/** A line of the counts: a place for each group that the other column may have. */
const LINE = NONE + 1;
/** Lines of each given group, and behind them all that of rows in which a value is missing. */
const LINES = GIVEN_GROUPS * GROUPS + 1;

/** Information between groups of rows, less what chance makes of so few rows. */
export class Information {
  readonly #counts = new Uint32Array(LINES * LINE);
  readonly #ofOthers = new Uint32Array(GROUPS);
  /** n log n. */
  readonly #weights: Float64Array;

  constructor(private readonly rows: number) {
    this.#weights = Float64Array.from({ length: rows + 1 }, (_, count) => (count === 0 ? 0 : count * log(count)));
  }

  /** Where each row is counted, by a column and one that is given, whatever third one they are asked with. */
  linesOf(one: Uint8Array, given: Uint8Array): Uint16Array {
    const lines = new Uint16Array(this.rows);
    for (let row = 0; row < lines.length; row++) {
      const isMissing = one[row] === NONE || given[row] === NONE;
      lines[row] = LINE * (isMissing ? LINES - 1 : given[row]! * GROUPS + one[row]!);
    }
    return lines;
  }

  /**
   * I(one; other | given), nats per row of those in which no value is missing.
   *
   * @param lines {@link linesOf} one, given the third
   */
  of(lines: Uint16Array, other: Uint8Array): number {
    const counts = this.#counts.fill(0);
    const weights = this.#weights;
    for (let row = 0; row < lines.length; row++) counts[lines[row]! + other[row]!]!++;
    let [all, nats, filled] = [0, 0, 0];
    const ofOthers = this.#ofOthers;
    for (let group = 0; group < GIVEN_GROUPS; group++) {
      ofOthers.fill(0);
      let inGroup = 0;
      for (let first = 0; first < GROUPS; first++) {
        let inLine = 0;
        for (let second = 0; second < GROUPS; second++) {
          const count = counts[(group * GROUPS + first) * LINE + second]!;
          if (count === 0) continue;
          nats += weights[count]!;
          filled++;
          inLine += count;
          ofOthers[second]! += count;
        }
        if (inLine === 0) continue;
        nats -= weights[inLine]!;
        filled--;
        inGroup += inLine;
      }
      for (const count of ofOthers) {
        if (count === 0) continue;
        nats -= weights[count]!;
        filled--;
      }
      if (inGroup === 0) continue;
      nats += weights[inGroup]!;
      filled++;
      all += inGroup;
    }
    return all === 0 ? 0 : nats / all - filled / (2 * all);
  }
}
