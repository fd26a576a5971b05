import type { ColumnSum } from '@orchard/contracts';
import { mayBeEqual } from '../variables/equal-columns.js';
import type { ComparedColumn } from './compared-columns.js';
import { GIVEN_GROUPS, GROUPS, Information, NONE } from './information.js';

/** Of the rows the first ones are looked at: so many, and so many times all triples of columns. */
const MOST_ROWS = 2 ** 13;
const MOST_LOOKS = 2 ** 25;
/** Fewer rows do not tell a sum from chance. */
const LEAST_ROWS = 500;
/**
 * Nats by which a sum tells more of a column than either of its own columns does beside the other one: per row, and in
 * all, which chance comes to in five standard deviations.
 */
const LEAST_GAIN_PER_ROW = 0.05;
const LEAST_GAIN = 140;

/** A column's rows in groups. */
interface Grouped {
  readonly column: ComparedColumn;
  readonly edges: Float64Array;
  readonly groups: Uint8Array;
  readonly asGiven: Uint8Array;
}

interface FoundSum {
  readonly sum: ColumnSum;
  /** The column that the sum tells of. */
  readonly target: string;
  readonly gain: number;
}

/**
 * Columns that two others tell of by their sum or difference. Trees see a sum of two columns through many cuts of both;
 * where it says more of a third column than each of the two beside the other, it is worth cuts of its own. Those that
 * tell most come first; each column follows one sum at most.
 */
export function findSums(columns: readonly ComparedColumn[]): readonly ColumnSum[] {
  if (columns.length < 3) return [];
  const triples = columns.length * columns.length * columns.length;
  const rows = Math.min(columns[0]!.codes.length, MOST_ROWS, Math.floor(MOST_LOOKS / triples));
  if (rows < LEAST_ROWS) return [];
  const information = new Information(rows);
  const grouped = columns.map((column) => groupedBy(column, rows));
  const found: FoundSum[] = [];
  grouped.forEach((target, third) => {
    const others = grouped.filter(
      ({ column }, at) => at !== third && mayBeEqual(column.variable, target.column.variable),
    );
    others.forEach((one, at) => {
      for (const other of others.slice(0, at)) {
        const best = bestOf(target, one, other, rows, information);
        if (best.gain >= Math.max(LEAST_GAIN_PER_ROW, LEAST_GAIN / rows)) found.push(best);
      }
    });
  });
  const taken = new Set<string>();
  return found
    .sort((a, b) => b.gain - a.gain)
    .filter(({ sum: { total, parts }, target }) => {
      // the same three columns are one sum, whichever of them it tells of
      const key = JSON.stringify([total, ...[...parts].sort()]);
      if (taken.has(key) || taken.has(target)) return false;
      taken.add(key).add(target);
      return true;
    })
    .map(({ sum }) => sum);
}

/** Of the sum and both differences of two columns the one that tells most of the target. */
function bestOf(target: Grouped, one: Grouped, other: Grouped, rows: number, information: Information): FoundSum {
  const [first, second] = [one.column.values, other.column.values];
  const nameOf = ({ column }: Grouped): string => column.variable.name;
  const alone = [
    information.of(target.groups, other.groups, one.asGiven),
    information.of(target.groups, one.groups, other.asGiven),
  ];
  const kinds: readonly (readonly [number, number, ColumnSum])[] = [
    [1, 1, { total: nameOf(target), parts: [nameOf(other), nameOf(one)] }],
    [1, -1, { total: nameOf(one), parts: [nameOf(other), nameOf(target)] }],
    [-1, 1, { total: nameOf(other), parts: [nameOf(one), nameOf(target)] }],
  ];
  const sums = new Uint8Array(rows);
  const found = kinds.map(([ofOne, ofOther, sum]): FoundSum => {
    for (let row = 0; row < rows; row++)
      sums[row] = groupOf(target.edges, ofOne * first[row]! + ofOther * second[row]!);
    const gains = [one, other].map(({ asGiven }, at) => information.of(target.groups, sums, asGiven) - alone[at]!);
    return { sum, target: nameOf(target), gain: gains.reduce((least, gain) => Math.min(least, gain)) };
  });
  return found.reduce((best, next) => (next.gain > best.gain ? next : best));
}

function groupedBy(column: ComparedColumn, rows: number): Grouped {
  const { values } = column;
  const sorted = values
    .slice(0, rows)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const edgesOf = (groups: number): Float64Array =>
    Float64Array.from({ length: groups - 1 }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / groups)]!);
  const groupsBy = (edges: Float64Array): Uint8Array =>
    Uint8Array.from({ length: rows }, (_, row) => groupOf(edges, values[row]!));
  const edges = edgesOf(GROUPS);
  return { column, edges, groups: groupsBy(edges), asGiven: groupsBy(edgesOf(GIVEN_GROUPS)) };
}

function groupOf(edges: Float64Array, value: number): number {
  if (Number.isNaN(value)) return NONE;
  let group = 0;
  while (group < edges.length && value >= edges[group]!) group++;
  return group;
}
