/** Terms of so many rows, and of so many kinds of groups, are kept: others come too rarely. */
const MOST_ROWS = 4;
const MOST_KINDS = 512;
const NO_TERMS = new Float64Array(0);

/**
 * What rows that are left out say of pairs of groups, term by term: n log(n - 1 + added s_g s_h + lent P(g)) of n rows
 * that a pair has. Of few rows thousands of pairs of columns have the same terms, since groups are of the same few
 * kinds: of as many values, and as many rows.
 */
export class LeftOutTerms {
  readonly #kindOfShare = new Map<number, number>();
  readonly #kindOfAlone = new Map<number, Map<number, number>>();
  #aloneKinds = 0;
  /** Of how many rows are lent and each kind of the other column's groups. */
  readonly #known: Float64Array[][];

  constructor(
    /** Rows that are added to each pair of columns, spread evenly over all pairs of values that the two can have. */
    readonly added: number,
    /**
     * Rows that each group of the other column is given beside its own, spread as all rows are: any of these. Of a
     * group that few rows have it says little what goes with it.
     */
    readonly lents: readonly number[],
    /** Rows that are left out together: as many copies as a row has on average. */
    readonly copies = 1,
  ) {
    this.#known = lents.map(() => []);
  }

  /** Of some rows those that are left when one and its copies are left out. */
  without(rows: number): number {
    return Math.max(0, rows - this.copies);
  }

  /** The kind of a group that others are held against. */
  kindOfShare(share: number): number {
    return kindIn(this.#kindOfShare, share, this.#kindOfShare.size);
  }

  /** The kind of a group that is held against others. @param alone P(group) of a row of it, by all rows but it */
  kindOfAlone(share: number, alone: number): number {
    const alike = this.#kindOfAlone.get(share) ?? new Map<number, number>();
    this.#kindOfAlone.set(share, alike);
    const kind = kindIn(alike, alone, this.#aloneKinds);
    if (kind === this.#aloneKinds) this.#aloneKinds++;
    return kind;
  }

  /**
   * Terms of one kind of the other column's groups that are kept, NaN where none was made yet: element
   * `MOST_ROWS * kind + rows - 1`. None of a kind beyond those that are kept.
   *
   * @param at of how many rows are lent, the place in `lents`
   */
  known(at: number, kind: number): Float64Array {
    if (kind >= MOST_KINDS) return NO_TERMS;
    const own = this.#known[at]!;
    while (own.length <= kind) own.push(NO_TERMS);
    const slots = MOST_ROWS * Math.min(MOST_KINDS, this.#aloneKinds);
    const known = own[kind]!;
    if (known.length >= slots) return known;
    const grown = new Float64Array(Math.min(MOST_ROWS * MOST_KINDS, Math.max(slots, 2 * known.length))).fill(NaN);
    grown.set(known);
    own[kind] = grown;
    return grown;
  }
}

/** Where the term of so many rows is kept; -1 of terms that are not. */
export function slotOf(kind: number, rows: number): number {
  return rows > MOST_ROWS ? -1 : MOST_ROWS * kind + rows - 1;
}

function kindIn(kinds: Map<number, number>, value: number, next: number): number {
  const known = kinds.get(value);
  if (known !== undefined) return known;
  kinds.set(value, next);
  return next;
}
