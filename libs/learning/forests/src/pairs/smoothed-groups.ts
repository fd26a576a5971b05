import { log } from '@orchard/numerics';

/** A column whose values are in groups. */
export interface GroupColumn {
  /** The group of each row. */
  readonly groups: Uint16Array;
  /**
   * Of each group its share in the values that the column can have: what is added without being seen is shared out so.
   */
  readonly shares: Float64Array;
}

/**
 * Probabilities of groups of values by counts, to which some pseudo-rows are added: `added` rows to each pair of
 * columns, spread evenly over all pairs of values that these can have. P(g, h) = (n_gh + added s_g s_h) / (N + added),
 * s the groups' shares in the values, and P(g) = (n_g + added s_g) / (N + added), which is the margin of every pair, so
 * that any forest of pairs is a distribution. Of two columns of bits and 4a added rows that is `SmoothedPairs` with a
 * pseudo-count of a.
 *
 * Rows are counted when a pair is asked for: O(rows).
 */
export class SmoothedGroups {
  readonly #margins: readonly Float64Array[];

  constructor(
    readonly columns: readonly GroupColumn[],
    readonly added: number,
  ) {
    this.#margins = columns.map(({ groups, shares }) => {
      const counts = new Uint32Array(shares.length);
      for (const group of groups) counts[group]!++;
      return shares.map((share, group) => (counts[group]! + added * share) / (groups.length + added));
    });
  }

  /** P(group). */
  margin(column: number): Float64Array {
    return this.#margins[column]!;
  }

  /** P(group of a, group of b): element `group of a * groups of b + group of b`. */
  joint(a: number, b: number): Float64Array {
    const [one, other] = [this.columns[a]!, this.columns[b]!];
    const width = other.shares.length;
    const { added } = this;
    const all = one.groups.length + added;
    return Float64Array.from(countTogether(one, other), (count, at) => {
      const share = one.shares[Math.floor(at / width)]! * other.shares[at % width]!;
      return (count + added * share) / all;
    });
  }

  /**
   * P(group | group of the other): element `group of the other * groups + group`.
   *
   * @param lent rows that each group of the other is given beside its own, spread as all rows are: of a group that few
   *   rows have it says little what goes with it. @default 0
   */
  given(column: number, other: number, lent = 0): Float64Array {
    const own = this.margin(column);
    const margin = this.margin(other);
    const share = lent / (this.columns[other]!.groups.length + this.added);
    return this.joint(other, column).map((joint, at) => {
      const all = margin[Math.floor(at / own.length)]!;
      return share === 0 ? joint / all : (joint + share * own[at % own.length]!) / (all + share);
    });
  }

  /**
   * I(a; b) in nats, of the probabilities. Summed in the order of its terms, so that equal counts give equal
   * information wherever they stand.
   */
  information(a: number, b: number): number {
    const [one, other] = [this.margin(a), this.margin(b)];
    const width = other.length;
    const terms = this.joint(a, b).map(
      (share, at) => share * log(share / (one[Math.floor(at / width)]! * other[at % width]!)),
    );
    return Math.max(
      0,
      terms.sort().reduce((sum, term) => sum + term, 0),
    );
  }
}

/** Rows of each pair of groups: element `group of one * groups of other + group of other`. */
export function countTogether(one: GroupColumn, other: GroupColumn): Uint32Array {
  const width = other.shares.length;
  const counts = new Uint32Array(one.shares.length * width);
  const [ones, others] = [one.groups, other.groups];
  for (let row = 0; row < ones.length; row++) counts[ones[row]! * width + others[row]!]!++;
  return counts;
}
