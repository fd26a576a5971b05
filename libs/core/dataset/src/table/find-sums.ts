import type { ColumnSum } from '@orchard/contracts';
import { log } from '@orchard/numerics';
import { mayBeEqual } from '../variables/equal-columns.js';
import type { ComparedColumn } from './compared-columns.js';

/** Of the rows the first ones are looked at: so many, and so many times all triples of columns. */
const MOST_ROWS = 2 ** 13;
const MOST_LOOKS = 2 ** 25;
/** Fewer rows do not tell a sum from chance. */
const LEAST_ROWS = 500;
/** Groups of about as many rows each, by value: of the column that is given, and of the other two. */
const GIVEN_GROUPS = 16;
const GROUPS = 8;
/** Of rows in which a value is missing. */
const NONE = 255;
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
  const rows = Math.min(columns[0]!.codes.length, MOST_ROWS, Math.floor(MOST_LOOKS / columns.length ** 3));
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

/** Information between groups of rows, less what chance makes of so few rows. */
class Information {
  readonly #counts = new Uint32Array(GIVEN_GROUPS * GROUPS * GROUPS);
  /** n log n. */
  readonly #weights: Float64Array;

  constructor(private readonly rows: number) {
    this.#weights = Float64Array.from({ length: rows + 1 }, (_, count) => (count === 0 ? 0 : count * log(count)));
  }

  /** I(one; other | given), nats per row of those in which no value is missing. */
  of(one: Uint8Array, other: Uint8Array, given: Uint8Array): number {
    const counts = this.#counts.fill(0);
    let all = 0;
    for (let row = 0; row < this.rows; row++) {
      if (one[row] === NONE || other[row] === NONE || given[row] === NONE) continue;
      counts[(given[row]! * GROUPS + one[row]!) * GROUPS + other[row]!]!++;
      all++;
    }
    if (all === 0) return 0;
    let [nats, filled] = [0, 0];
    const add = (count: number, sign: 1 | -1): void => {
      if (count === 0) return;
      nats += sign * this.#weights[count]!;
      filled += sign;
    };
    const ofOthers = new Uint32Array(GROUPS);
    for (let group = 0; group < GIVEN_GROUPS; group++) {
      ofOthers.fill(0);
      let inGroup = 0;
      for (let first = 0; first < GROUPS; first++) {
        let inLine = 0;
        for (let second = 0; second < GROUPS; second++) {
          const count = counts[(group * GROUPS + first) * GROUPS + second]!;
          add(count, 1);
          inLine += count;
          ofOthers[second]! += count;
        }
        add(inLine, -1);
        inGroup += inLine;
      }
      for (const count of ofOthers) add(count, -1);
      add(inGroup, 1);
    }
    return nats / all - filled / (2 * all);
  }
}
