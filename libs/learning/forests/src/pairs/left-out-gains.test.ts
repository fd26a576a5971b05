import { log, RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { countTogether, groupedColumn, type GroupedColumn } from './grouped-pairs.js';
import { LeftOutColumn } from './left-out-column.js';
import { LeftOutGains } from './left-out-gains.js';
import { LeftOutTerms } from './left-out-terms.js';

const ADDED = 4;

/** Term by term, in the order of a table of all pairs of groups. */
function plainGain(column: GroupedColumn, other: GroupedColumn, lent: number): number {
  const together = countTogether(other, column);
  const { counts, shares, codes } = column;
  const alone = counts.map((count, g) => (count - 1 + ADDED * shares[g]!) / (codes.length - 1 + ADDED));
  let gain = 0;
  counts.forEach((count, g) => {
    if (count > 0) gain -= count * log(alone[g]!);
  });
  other.counts.forEach((count, h) => {
    if (count === 0) return;
    const share = ADDED * other.shares[h]!;
    gain -= count * log(count - 1 + share + lent);
    counts.forEach((_, g) => {
      const rows = together[h * counts.length + g]!;
      if (rows > 0) gain += rows * log(rows - 1 + share * shares[g]! + lent * alone[g]!);
    });
  });
  return gain;
}

/** Columns whose groups have few rows and many, or none. */
function columnsOf(rows: number, groups: readonly number[], seed: number): GroupedColumn[] {
  const stream = new RandomStream(seed, 1023);
  const cause = Array.from({ length: rows }, () => stream.uniform());
  return groups.map((size) => {
    const codes = Uint16Array.from(cause, (own) => Math.floor(size * (stream.below(3) === 0 ? stream.uniform() : own)));
    return groupedColumn(
      codes,
      Uint16Array.from({ length: size + 1 }, (_, code) => code),
      size + 1,
    );
  });
}

test.each([20, 150, 4096, 5000])('gains of %i rows have the bits of a plain loop over all pairs of groups', (rows) => {
  for (const lents of [[0], [1, 4]]) {
    const [terms, gains] = [new LeftOutTerms(ADDED, lents), new LeftOutGains()];
    const columns = columnsOf(rows, [2, 7, 40, 300, 2], rows).map((column) => new LeftOutColumn(column, terms));
    for (const one of columns)
      for (const other of columns) {
        const ways = [one, other].map((column) => {
          const rest = column === one ? other : one;
          return Math.max(...lents.map((lent) => plainGain(column.column, rest.column, lent)));
        });
        expect(gains.between(one, other)).toBe((ways[0]! + ways[1]!) / 2);
      }
  }
});
