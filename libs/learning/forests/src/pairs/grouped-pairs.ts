import { log } from '@orchard/numerics';

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

/** What is added to the counts of a pair. */
export interface Added {
  /** Rows, spread evenly over all pairs of values that the two columns can have. */
  readonly added: number;
  /**
   * Rows that each group of the other column is given beside its own, spread as all rows are: of a group that few rows
   * have it says little what goes with it.
   */
  readonly lent: number;
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

/** Rows of each pair of groups: element `group of one * groups of other + group of other`. O(rows) */
export function countTogether(one: GroupedColumn, other: GroupedColumn): Uint32Array {
  const width = other.counts.length;
  const together = new Uint32Array(one.counts.length * width);
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

/**
 * How much likelier a column's groups are given the other's than by themselves, nats, summed over all rows, each by
 * what the others say: a row is taken off the counts that it is judged by. So what is chance gains nothing, however
 * many groups there are.
 *
 * @param together `countTogether(other, column)`
 */
export function leftOutGain(
  column: GroupedColumn,
  other: GroupedColumn,
  together: Uint32Array,
  { added, lent }: Added,
): number {
  const alone = aloneLeftOut(column, added);
  let gain = 0;
  column.counts.forEach((count, g) => {
    if (count > 0) gain -= count * log(alone[g]!);
  });
  const lines = { column, other, together, alone };
  for (let h = 0; h < other.counts.length; h++) gain = withLine(gain, lines, h, { added, lent });
  return gain;
}

/** P(group) of a row of that group, by all rows but it. */
function aloneLeftOut({ codes, counts, shares }: GroupedColumn, added: number): Float64Array {
  return counts.map((count, g) => (count - 1 + added * shares[g]!) / (codes.length - 1 + added));
}

/** What {@link withLine} looks at. */
interface Lines {
  readonly column: GroupedColumn;
  readonly other: GroupedColumn;
  readonly together: Uint32Array;
  readonly alone: Float64Array;
}

/** Adds log P of the rows of one group of the other column, each by the others, to a sum of nats. */
function withLine(sum: number, { column, other, together, alone }: Lines, h: number, { added, lent }: Added): number {
  const count = other.counts[h]!;
  if (count === 0) return sum;
  const width = column.counts.length;
  const share = added * other.shares[h]!;
  let gain = sum - count * log(count - 1 + share + lent);
  for (let g = 0; g < width; g++) {
    const rows = together[h * width + g]!;
    if (rows > 0) gain += rows * log(rows - 1 + share * column.shares[g]! + lent * alone[g]!);
  }
  return gain;
}

/** Groups of about equally many rows are lent as many: up to so many times the fewest, and so many rows in all. */
const ALIKE = 4;
const ROWS_ALIKE = 20;

/**
 * {@link given} with as many rows lent to each group of the other column as groups of about as many rows like best when
 * each row is left out: a group that few rows have says little of a column of many, one of many rows says it all.
 *
 * @param lents to choose from, ascending; of equals the fewest
 */
export function givenByRows(
  column: GroupedColumn,
  other: GroupedColumn,
  together: Uint32Array,
  { added, lents }: { readonly added: number; readonly lents: readonly number[] },
): Float64Array {
  const lines = { column, other, together, alone: aloneLeftOut(column, added) };
  const { counts } = other;
  const byRows = [...counts.keys()].sort((one, next) => counts[one]! - counts[next]! || one - next);
  const lentTo = new Float64Array(counts.length);
  let from = 0;
  while (from < byRows.length) {
    const most = ALIKE * Math.max(1, counts[byRows[from]!]!);
    let end = from;
    let rows = 0;
    while (end < byRows.length && (rows < ROWS_ALIKE || counts[byRows[end]!]! < most)) {
      rows += counts[byRows[end]!]!;
      end++;
    }
    const alike = byRows.slice(from, end);
    const lent = likedBy(lines, alike, added, lents);
    for (const h of alike) lentTo[h] = lent;
    from = end;
  }
  return given(column, other, together, added, lentTo);
}

/** Of how many rows are lent, what makes the rows of some groups of the other column likeliest. */
function likedBy(lines: Lines, groups: readonly number[], added: number, lents: readonly number[]): number {
  let best = lents[0]!;
  let most = -Infinity;
  for (const lent of lents) {
    const gain = groups.reduce((sum, h) => withLine(sum, lines, h, { added, lent }), 0);
    if (gain <= most) continue;
    best = lent;
    most = gain;
  }
  return best;
}
