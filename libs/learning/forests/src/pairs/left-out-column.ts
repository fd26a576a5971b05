import { log } from '@orchard/numerics';
import type { GroupedColumn } from './grouped-pairs.js';
import type { LeftOutTerms } from './left-out-terms.js';

/**
 * What is said of a column's groups when each row is judged by all rows but it, whatever other column they are held
 * against: worked out once, not for each pair.
 */
export class LeftOutColumn {
  /** P(group) of a row of that group, by all rows but it. */
  readonly alone: Float64Array;
  /** How unlikely the column's rows are by themselves, nats, summed over all of them. */
  readonly nats: number;
  /** Of each group its kind (`LeftOutTerms`), where others are held against it and where it is held against others. */
  readonly kindsOfShares: Uint32Array;
  readonly kindsOfAlone: Uint32Array;
  /** Of how many rows are lent, and each group: what its rows are divided by, nats, summed over all of them. */
  readonly divisors: readonly Float64Array[];
  #rowsByGroup: Uint16Array | null = null;

  constructor(
    readonly column: GroupedColumn,
    readonly terms: LeftOutTerms,
  ) {
    const { added, lents } = terms;
    const { codes, counts, shares } = column;
    const all = terms.without(codes.length) + added;
    const alone = counts.map((count, g) => (terms.without(count) + added * shares[g]!) / all);
    let nats = 0;
    counts.forEach((count, g) => {
      if (count > 0) nats -= count * log(alone[g]!);
    });
    this.alone = alone;
    this.nats = nats;
    this.kindsOfShares = Uint32Array.from(shares, (share) => terms.kindOfShare(share));
    this.kindsOfAlone = Uint32Array.from(shares, (share, g) => terms.kindOfAlone(share, alone[g]!));
    this.divisors = lents.map((lent) =>
      counts.map((count, h) => (count === 0 ? 0 : count * log(terms.without(count) + added * shares[h]! + lent))),
    );
  }

  /** All rows, those of the first group first; of at most 65,536 rows. */
  get rowsByGroup(): Uint16Array {
    this.#rowsByGroup ??= sortedByGroup(this.column);
    return this.#rowsByGroup;
  }
}

function sortedByGroup({ codes, groupOf, counts }: GroupedColumn): Uint16Array {
  const next = new Uint32Array(counts.length);
  for (let g = 1; g < counts.length; g++) next[g] = next[g - 1]! + counts[g - 1]!;
  const rows = new Uint16Array(codes.length);
  for (let row = 0; row < codes.length; row++) rows[next[groupOf[codes[row]!]!]!++] = row;
  return rows;
}
