import { log } from '@orchard/numerics';

/** Groups of about as many rows each, by value: of the column that is given, and of the other two. */
export const GIVEN_GROUPS = 16;
export const GROUPS = 8;
/** Of rows in which a value is missing. */
export const NONE = 255;

/** Information between groups of rows, less what chance makes of so few rows. */
export class Information {
  readonly #counts = new Uint32Array(GIVEN_GROUPS * GROUPS * GROUPS);
  /** n log n. */
  readonly #weights: Float64Array;

  constructor(private readonly rows: number) {
    this.#weights = Float64Array.from({ length: rows + 1 }, (_, count) => (count === 0 ? 0 : count * log(count)));
  }

  /** I(one; other | given), nats per row of those in which no value is missing. */
  of(one: Uint8Array, other: Uint8Array, given: Uint8Array): number {
    const counts = this.#counts.fill(0);
    let all = 0;
    for (let row = 0; row < this.rows; row++) {
      if (one[row] === NONE || other[row] === NONE || given[row] === NONE) continue;
      counts[(given[row]! * GROUPS + one[row]!) * GROUPS + other[row]!]!++;
      all++;
    }
    if (all === 0) return 0;
    let [nats, filled] = [0, 0];
    const add = (count: number, sign: 1 | -1): void => {
      if (count === 0) return;
      nats += sign * this.#weights[count]!;
      filled += sign;
    };
    const ofOthers = new Uint32Array(GROUPS);
    for (let group = 0; group < GIVEN_GROUPS; group++) {
      ofOthers.fill(0);
      let inGroup = 0;
      for (let first = 0; first < GROUPS; first++) {
        let inLine = 0;
        for (let second = 0; second < GROUPS; second++) {
          const count = counts[(group * GROUPS + first) * GROUPS + second]!;
          add(count, 1);
          inLine += count;
          ofOthers[second]! += count;
        }
        add(inLine, -1);
        inGroup += inLine;
      }
      for (const count of ofOthers) add(count, -1);
      add(inGroup, 1);
    }
    return nats / all - filled / (2 * all);
  }
}
