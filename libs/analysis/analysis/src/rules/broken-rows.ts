import type { Table } from '@orchard/contracts';
import type { RawTable } from '@orchard/dataset';
import type { Rule } from '@orchard/model';

/** Numbers of rows that are named of a rule. */
const MOST_NAMED = 10;

/** How many rows of a file break a rule, and which of them come first, counted from 1. */
export interface BrokenRule {
  readonly rule: string;
  readonly broken: number;
  readonly first: readonly number[];
}

/** Which rows of a file break rules. @param count of all its rows */
export async function findBroken(
  table: Table,
  rules: readonly Rule[],
  raw: RawTable,
  count: number,
): Promise<{ readonly found: readonly BrokenRule[]; readonly follows: Uint8Array }> {
  const places = table.variables.map(({ name }) => raw.columns.indexOf(name));
  const found = rules.map(({ words }) => ({ rule: words, broken: 0, first: [] as number[] }));
  const follows = new Uint8Array(count).fill(1);
  let first = 0;
  for await (const { rows, columns } of raw.batches(new Set(places))) {
    for (let row = 0; row < rows; row++) {
      const texts = places.map((place) => {
        const cell = columns[place]!.at(row) ?? null;
        return cell === null || (typeof cell === 'number' && Number.isNaN(cell)) ? null : String(cell);
      });
      rules.forEach((rule, at) => {
        if (rule.holds(texts)) return;
        follows[first + row] = 0;
        found[at]!.broken++;
        if (found[at]!.first.length < MOST_NAMED) found[at]!.first.push(first + row + 1);
      });
    }
    first += rows;
  }
  return { found, follows };
}
