import { oncePer } from '@orchard/numerics';
import { distanceOf, sharesOfKeys } from './shapes.js';
import type { Column, NumberColumn, Rows } from './rows.js';

export interface PairScore {
  readonly columns: readonly [string, string];
  /** From 0 to 1, the same dependence. */
  readonly score: number;
}

/** Ranges of equal width that a number is cut into beside a label. */
const RANGES = 10;

/**
 * How alike the dependence of each pair of columns is, as SDMetrics' Column Pair Trends: of two numbers 1 less half the
 * difference of Pearson's correlations (CorrelationSimilarity), of other pairs 1 less the total variation distance of
 * their joint shares, a number being cut into ten ranges of equal width (ContingencySimilarity). Pairs of numbers of
 * which one is constant have no score.
 */
export function pairTrends(real: Rows, synthetic: Rows): PairScore[] {
  const cut = real.columns.map((column) => rangesOf(column));
  const scores: PairScore[] = [];
  real.columns.forEach((first, a) => {
    for (let b = a + 1; b < real.columns.length; b++) {
      const second = real.columns[b]!;
      const others = [synthetic.columns[a]!, synthetic.columns[b]!] as const;
      const score =
        first.kind === 'number' && second.kind === 'number'
          ? 1 - Math.abs(correlation(first, second) - correlation(...(others as [NumberColumn, NumberColumn]))) / 2
          : 1 - distanceOf(jointShares([first, second], [cut[a]!, cut[b]!]), jointShares(others, [cut[a]!, cut[b]!]));
      if (!Number.isNaN(score)) scores.push({ columns: [first.name, second.name], score });
    }
  });
  return scores;
}

/** Of numbers beyond it, or within its inverse, products of four are no numbers. */
const FAR = 1e60;

/** Pearson's, of the rows that have both; NaN where one is constant. */
function correlation(first: NumberColumn, second: NumberColumn): number {
  const [left, right] = [inUnits(first), inUnits(second)];
  let [count, meanLeft, meanRight, squareLeft, squareRight, product] = [0, 0, 0, 0, 0, 0];
  for (let row = 0; row < left.length; row++) {
    const [x, y] = [left[row]!, right[row]!];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    count++;
    const [dx, dy] = [x - meanLeft, y - meanRight];
    meanLeft += dx / count;
    meanRight += dy / count;
    squareLeft += dx * (x - meanLeft);
    squareRight += dy * (y - meanRight);
    product += dx * (y - meanRight);
  }
  return product / Math.sqrt(squareLeft * squareRight);
}

/** A column's numbers; in units of the farthest one where products of them are no numbers. */
const inUnits = oncePer(({ values }: NumberColumn): Float64Array => {
  const farthest = values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);
  return farthest === 0 || (farthest < FAR && farthest > 1 / FAR) ? values : values.map((value) => value / farthest);
});

/** What a value counts as in a table of pairs. */
type Cut = (value: number) => number;

function rangesOf(column: Column): Cut {
  if (column.kind === 'label') return (label) => label;
  let [least, greatest] = [Infinity, -Infinity];
  for (const value of column.values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  // values beyond those of the real rows belong to the outermost ranges
  return (value) => {
    if (Number.isNaN(value)) return -1;
    const range = Math.floor((RANGES * (value - least)) / (greatest - least || 1));
    return Math.min(RANGES - 1, Math.max(0, range));
  };
}

function jointShares([first, second]: readonly [Column, Column], cuts: readonly [Cut, Cut]): Map<string, number> {
  return sharesOfKeys(
    first.values.length,
    (row) => `${String(cuts[0](first.values[row]!))},${String(cuts[1](second.values[row]!))}`,
  );
}
