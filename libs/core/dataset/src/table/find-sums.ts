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
  const least = Math.max(LEAST_GAIN_PER_ROW, LEAST_GAIN / rows);
  const sums = new Uint8Array(rows);
  const grouped = columns.map((column) => groupedBy(column, rows));
  const found: FoundSum[] = [];
  grouped.forEach((target, third) => {
    const others = grouped.filter(
      ({ column }, at) => at !== third && mayBeEqual(column.variable, target.column.variable),
    );
    const lines = others.map(({ asGiven }) => information.linesOf(target.groups, asGiven));
    others.forEach((one, at) => {
      others.slice(0, at).forEach((other, before) => {
        const pair = { one, other, linesOfOne: lines[at]!, linesOfOther: lines[before]! };
        const best = bestOf(target, pair, information, sums, least);
        if (best !== null) found.push(best);
      });
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

/** Two columns that may tell of a target together, and the target's lines given each of them. */
interface Pair {
  readonly one: Grouped;
  readonly other: Grouped;
  readonly linesOfOne: Uint16Array;
  readonly linesOfOther: Uint16Array;
}

/**
 * Of the sum and both differences of two columns the one that tells most of the target; null where none gains enough.
 *
 * @param sums room for the groups of each row's sum
 */
function bestOf(
  target: Grouped,
  { one, other, linesOfOne, linesOfOther }: Pair,
  information: Information,
  sums: Uint8Array,
  least: number,
): FoundSum | null {
  const [first, second] = [one.column.values, other.column.values];
  const nameOf = ({ column }: Grouped): string => column.variable.name;
  const toldByOther = information.of(linesOfOne, other.groups);
  let toldByOne: number | null = null;
  const kinds: readonly (readonly [number, number, ColumnSum])[] = [
    [1, 1, { total: nameOf(target), parts: [nameOf(other), nameOf(one)] }],
    [1, -1, { total: nameOf(one), parts: [nameOf(other), nameOf(target)] }],
    [-1, 1, { total: nameOf(other), parts: [nameOf(one), nameOf(target)] }],
  ];
  let best: FoundSum | null = null;
  for (const [ofOne, ofOther, sum] of kinds) {
    for (let row = 0; row < sums.length; row++)
      sums[row] = groupOf(target.edges, ofOne * first[row]! + ofOther * second[row]!);
    const beyondOther = information.of(linesOfOne, sums) - toldByOther;
    if (beyondOther < least) continue;
    toldByOne ??= information.of(linesOfOther, one.groups);
    const gain = Math.min(beyondOther, information.of(linesOfOther, sums) - toldByOne);
    if (gain >= least && (best === null || gain > best.gain)) best = { sum, target: nameOf(target), gain };
  }
  return best;
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

/** @param edges of a power of two of groups, ascending */
function groupOf(edges: Float64Array, value: number): number {
  if (Number.isNaN(value)) return NONE;
  let group = 0;
  for (let step = (edges.length + 1) >> 1; step > 0; step >>= 1) if (value >= edges[group + step - 1]!) group += step;
  return group;
}
