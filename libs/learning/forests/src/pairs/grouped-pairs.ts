/** A column whose values are in groups. */
export interface GroupedColumn {
  /** The value of each row. */
  readonly codes: Uint16Array;
  readonly groupOf: Uint16Array;
  /** Rows of each group. */
  readonly counts: Float64Array;
  /**
   * Of each group its share in the values that the column can have: what is added without being seen is shared out so.
   */
  readonly shares: Float64Array;
}

/** @param codes of all rows */
export function groupedColumn(codes: Uint16Array, groupOf: Uint16Array, groups: number): GroupedColumn {
  const [counts, shares] = [new Float64Array(groups), new Float64Array(groups)];
  for (let row = 0; row < codes.length; row++) counts[groupOf[codes[row]!]!]!++;
  for (let code = 0; code < groupOf.length; code++) shares[groupOf[code]!]! += 1 / groupOf.length;
  return { codes, groupOf, counts, shares };
}

/** P(group) = (n + added share) / (N + added). */
export function marginOf({ codes, counts, shares }: GroupedColumn, added: number): Float64Array {
  return counts.map((count, group) => (count + added * shares[group]!) / (codes.length + added));
}

/**
 * Rows of each pair of groups: element `group of one * groups of other + group of other`. O(rows)
 *
 * @param together zeros, that become these
 */
export function countTogether(
  one: GroupedColumn,
  other: GroupedColumn,
  together = new Uint32Array(one.counts.length * other.counts.length),
): Uint32Array {
  const width = other.counts.length;
  const [ones, others, groupOfOne, groupOfOther] = [one.codes, other.codes, one.groupOf, other.groupOf];
  for (let row = 0; row < ones.length; row++)
    together[groupOfOne[ones[row]!]! * width + groupOfOther[others[row]!]!]!++;
  return together;
}

/**
 * P(group | group of the other) = (n_gh + added s_g s_h + lent_h P(g)) / (n_h + added s_h + lent_h), s the groups'
 * shares in the values: element `group of the other * groups + group`.
 *
 * @param together `countTogether(other, column)`
 * @param lentTo rows that are lent to each group of the other
 */
export function given(
  column: GroupedColumn,
  other: GroupedColumn,
  together: Uint32Array,
  added: number,
  lentTo: ArrayLike<number>,
): Float64Array {
  const margin = marginOf(column, added);
  const width = margin.length;
  return Float64Array.from(together, (rows, at) => {
    const [h, g] = [Math.floor(at / width), at % width];
    const lent = lentTo[h]!;
    const all = other.counts[h]! + added * other.shares[h]! + lent;
    return (rows + added * column.shares[g]! * other.shares[h]! + lent * margin[g]!) / all;
  });
}
