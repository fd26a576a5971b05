import type { CountedRows } from '@orchard/dataset';
import type { RandomStream } from '@orchard/numerics';

/** Rows in clusters, and the tree by which these were divided. */
export interface ClusterTree {
  /** Of each distinct row. */
  readonly clusterOf: Uint32Array;
  readonly clusters: number;
  /**
   * The two children of inner node v at 2v and 2v + 1: an inner node, always of a higher number, or as `~cluster` a
   * leaf. Node 0 is the root; one cluster has none.
   */
  readonly children: Int32Array;
}

/** Of one division at most; most are settled earlier. */
const STEPS = 10;

/**
 * Divides rows in two, and one of the parts again, until there are enough: bisecting k-means (Steinbach, Karypis, Kumar
 * 2000; thesis 2.3). The part whose rows lie farthest from their mean in all is the next.
 *
 * @param most clusters; fewer where there are fewer rows that differ
 */
export function bisectRows(train: CountedRows, most: number, stream: RandomStream): ClusterTree {
  const { distinct, counts, starts, columns } = train;
  const { dimensions } = distinct;
  const clusters = Math.min(most, distinct.rows);
  const clusterOf = new Uint32Array(distinct.rows);
  const children = new Int32Array(2 * (clusters - 1));
  // of each cluster its rows, how far they lie from their mean (squares), and where its parent names it
  const members: Uint32Array[] = [Uint32Array.from({ length: distinct.rows }, (_, row) => row)];
  const spreads = [Infinity];
  const namedAt = [-1];

  for (let node = 0; node < clusters - 1; node++) {
    let widest = 0;
    for (let cluster = 1; cluster <= node; cluster++) if (spreads[cluster]! > spreads[widest]!) widest = cluster;
    const parts = divide(members[widest]!);
    const added = node + 1;
    if (namedAt[widest]! >= 0) children[namedAt[widest]!] = node;
    [widest, added].forEach((cluster, side) => {
      children[2 * node + side] = ~cluster;
      namedAt[cluster] = 2 * node + side;
      members[cluster] = parts[side]!;
      spreads[cluster] = parts[side]!.length === 1 ? 0 : spreadOf(parts[side]!);
    });
    for (const row of parts[1]) clusterOf[row] = added;
  }
  return { clusterOf, clusters, children };

  /**
   * Two means: from a row, and another that is drawn in proportion to how far it is from it. At least one row comes
   * into each part.
   */
  function divide(rows: Uint32Array): readonly [Uint32Array, Uint32Array] {
    const [first, second] = twoRows(rows);
    let centres = [centreOf(Uint32Array.of(first)), centreOf(Uint32Array.of(second))];
    let parts: readonly [Uint32Array, Uint32Array] = assign(rows, centres);
    for (let step = 0; step < STEPS; step++) {
      centres = parts.map(centreOf);
      const next = assign(rows, centres);
      const isSettled = next[0].length === parts[0].length && next[0].every((row, at) => row === parts[0][at]);
      if (isSettled || next[0].length === 0 || next[1].length === 0) break;
      parts = next;
    }
    return parts;
  }

  function twoRows(rows: Uint32Array): [number, number] {
    const first = rows[draw(rows, (row) => counts[row]!)]!;
    const isOne = new Uint8Array(dimensions);
    for (let at = starts[first]!; at < starts[first + 1]!; at++) isOne[columns[at]!] = 1;
    const ones = starts[first + 1]! - starts[first]!;
    const distance = (row: number): number => {
      let both = 0;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) both += isOne[columns[at]!]!;
      return ones + (starts[row + 1]! - starts[row]!) - 2 * both;
    };
    return [first, rows[draw(rows, (row) => counts[row]! * distance(row))]!];
  }

  /** A place in the rows, in proportion to their weights; never one without weight. */
  function draw(rows: Uint32Array, weightOf: (row: number) => number): number {
    const weights = Float64Array.from(rows, weightOf);
    let rest = stream.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
    let drawn = 0;
    for (let at = 0; at < weights.length; at++) {
      if (weights[at] === 0) continue;
      drawn = at;
      if (rest < weights[at]!) break;
      rest -= weights[at]!;
    }
    return drawn;
  }

  function centreOf(rows: Uint32Array): Float64Array {
    const sums = new Float64Array(dimensions);
    let all = 0;
    for (const row of rows) {
      const count = counts[row]!;
      all += count;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) sums[columns[at]!]! += count;
    }
    return sums.map((sum) => sum / all);
  }

  /** |x - b|² - |x - a|² of each row is Σ over its ones 2 (a - b), less Σ a² - b². Ties go to the first. */
  function assign(rows: Uint32Array, [a, b]: readonly Float64Array[]): [Uint32Array, Uint32Array] {
    const lean = a!.map((value, column) => 2 * (value - b![column]!));
    const level = a!.reduce((sum, value, column) => sum + value * value - b![column]! ** 2, 0);
    const isFirst = (row: number): boolean => {
      let sum = -level;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) sum += lean[columns[at]!]!;
      return sum >= 0;
    };
    const own = Uint8Array.from(rows, (row) => (isFirst(row) ? 1 : 0));
    return [rows.filter((_, at) => own[at] === 1), rows.filter((_, at) => own[at] === 0)];
  }

  /** Σ counts |x - mean|²: of bits N p (1 - p) a column. */
  function spreadOf(rows: Uint32Array): number {
    let all = 0;
    for (const row of rows) all += counts[row]!;
    return centreOf(rows).reduce((sum, rate) => sum + all * rate * (1 - rate), 0);
  }
}
