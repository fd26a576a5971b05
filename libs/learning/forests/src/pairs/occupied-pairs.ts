import { countTogether } from './grouped-pairs.js';
import type { LeftOutColumn } from './left-out-column.js';

/** Up to so many rows are sorted; of more there are rarely fewer than pairs of groups. */
const MOST_SORTED = 4096;

/**
 * The pairs of groups of two columns that rows have, by the groups of one and, within each, by those of the other. Fine
 * groups of few rows have thousands of pairs, of which no more than there are rows are not empty. Used again and again.
 */
export class OccupiedPairs {
  /** Of each group of the one column where its pairs begin, and at last where they all end. */
  starts = new Uint32Array(0);
  /** Of each pair the group of the other column. */
  groups = new Uint32Array(0);
  /** Of each pair its rows. */
  rows = new Uint32Array(0);
  #cells = new Uint32Array(0);
  #places = new Uint32Array(0);

  /** Pairs of the rows of two columns. O(rows + groups) where rows are few, else O(rows + pairs of groups). */
  count(one: LeftOutColumn, other: LeftOutColumn): void {
    const rows = one.column.codes.length;
    const cells = one.column.counts.length * other.column.counts.length;
    if (rows <= MOST_SORTED && rows < cells) return this.#sort(one, other);
    if (this.#cells.length < cells) this.#cells = new Uint32Array(cells);
    const together = this.#cells.subarray(0, cells).fill(0);
    this.list(countTogether(one.column, other.column, together), other.column.counts.length);
  }

  /** @param together `countTogether(one, other)` @param width groups of the other column */
  list(together: Uint32Array, width: number): void {
    const height = together.length / width;
    this.#reserve(height, together.length);
    const { starts, groups, rows } = this;
    let place = 0;
    for (let h = 0, at = 0; h < height; h++) {
      starts[h] = place;
      for (let g = 0; g < width; g++, at++) {
        const here = together[at]!;
        if (here === 0) continue;
        groups[place] = g;
        rows[place++] = here;
      }
    }
    starts[height] = place;
  }

  /** The pairs of other ones, whose columns have changed places. */
  turn(pairs: OccupiedPairs, height: number, width: number): void {
    const count = pairs.starts[height]!;
    this.#reserve(width, count);
    const next = this.#placesFor(width);
    const { starts, groups, rows } = this;
    for (let at = 0; at < count; at++) next[pairs.groups[at]!]!++;
    let from = 0;
    for (let g = 0; g < width; g++) {
      const here = next[g]!;
      starts[g] = from;
      next[g] = from;
      from += here;
    }
    starts[width] = from;
    for (let h = 0; h < height; h++)
      for (let at = pairs.starts[h]!; at < pairs.starts[h + 1]!; at++) {
        const place = next[pairs.groups[at]!]!++;
        groups[place] = h;
        rows[place] = pairs.rows[at]!;
      }
  }

  /** Rows by the groups of both: those that are sorted by the other's are dealt out to the groups of the one. */
  #sort(one: LeftOutColumn, other: LeftOutColumn): void {
    const { codes, groupOf, counts } = one.column;
    const { codes: otherCodes, groupOf: otherGroupOf } = other.column;
    const sorted = other.rowsByGroup;
    const height = counts.length;
    this.#reserve(height, sorted.length);
    const { starts, groups, rows } = this;
    const next = this.#placesFor(height);
    for (let h = 1; h < height; h++) next[h] = next[h - 1]! + counts[h - 1]!;
    for (let at = 0; at < sorted.length; at++) {
      const row = sorted[at]!;
      groups[next[groupOf[codes[row]!]!]!++] = otherGroupOf[otherCodes[row]!]!;
    }
    let place = 0;
    for (let h = 0, at = 0; h < height; h++) {
      starts[h] = place;
      for (const end = next[h]!; at < end; at++) {
        const group = groups[at]!;
        if (place > starts[h]! && groups[place - 1] === group) rows[place - 1]!++;
        else {
          groups[place] = group;
          rows[place++] = 1;
        }
      }
    }
    starts[height] = place;
  }

  #reserve(height: number, pairs: number): void {
    if (this.starts.length <= height) this.starts = new Uint32Array(height + 1);
    if (this.groups.length >= pairs) return;
    this.groups = new Uint32Array(pairs);
    this.rows = new Uint32Array(pairs);
  }

  #placesFor(groups: number): Uint32Array {
    if (this.#places.length < groups) this.#places = new Uint32Array(groups);
    return this.#places.fill(0, 0, groups);
  }
}
