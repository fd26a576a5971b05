import { given, type GroupedColumn } from './grouped-pairs.js';
import { LeftOutColumn } from './left-out-column.js';
import { withLine, type Lines } from './left-out-gains.js';
import type { LeftOutTerms } from './left-out-terms.js';
import { OccupiedPairs } from './occupied-pairs.js';

/** Groups of about equally many rows are lent as many: up to so many times the fewest, and so many rows in all. */
const ALIKE = 4;
const ROWS_ALIKE = 20;

/**
 * `given` with as many rows lent to each group of the other column as groups of about as many rows like best when
 * each row is left out: a group that few rows have says little of a column of many, one of many rows says it all.
 * Of equals it is the fewest: those to choose from (`lents`) ascend.
 *
 * @param together `countTogether(other, column)`
 */
export function givenByRows(
  column: GroupedColumn,
  other: GroupedColumn,
  together: Uint32Array,
  terms: LeftOutTerms,
): Float64Array {
  const pairs = new OccupiedPairs();
  pairs.list(together, column.counts.length);
  const lines = { column: new LeftOutColumn(column, terms), other: new LeftOutColumn(other, terms), pairs };
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
    const lent = likedBy(lines, alike);
    for (const h of alike) lentTo[h] = lent;
    from = end;
  }
  return given(column, other, together, terms.added, lentTo);
}

/** Of how many rows are lent, what makes the rows of some groups of the other column likeliest. */
function likedBy(lines: Lines, groups: readonly number[]): number {
  const { lents } = lines.other.terms;
  let best = lents[0]!;
  let most = -Infinity;
  for (const [at, lent] of lents.entries()) {
    const gain = groups.reduce((sum, h) => withLine(sum, lines, h, at), 0);
    if (gain <= most) continue;
    best = lent;
    most = gain;
  }
  return best;
}
