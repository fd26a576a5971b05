import type { Table, Variable } from '@orchard/contracts';
import { evenlySpaced, numberOf, OTHER, valueCount, valuesOf, type BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { AxisFacts, PairFacts, ScatterFacts } from './table-facts.js';

/** Pairs that are drawn, and points of each side: more of them only cover each other. */
const PAIRS = 6;
const MOST_POINTS = 400;
const FEWEST_POINTS = 50;
/** Cells whose values are written to draw the points. */
const MOST_CELLS = 200_000;
/** Labels with a band of their own; the rarest share one. */
const MOST_BANDS = 6;
/** Of the distance of two labels or values, how far points lie from their middle: equal rows cover each other less. */
const SPREAD = 0.36;
const SEED = 0;

/** The pairs, rows of the data and sampled rows as points in the same frame. */
export function scatterFacts(
  table: Table,
  rows: { readonly train: BitMatrix; readonly draws: BitMatrix },
  pairs: readonly PairFacts[],
): readonly ScatterFacts[] {
  const most = Math.max(FEWEST_POINTS, Math.min(MOST_POINTS, Math.floor(MOST_CELLS / table.variables.length)));
  const count = Math.min(most, rows.train.rows, rows.draws.rows);
  const data = valuesOf(evenlySpaced(rows.train, count), table, SEED);
  const draws = valuesOf(evenlySpaced(rows.draws, count), table, SEED);
  const indexOf = new Map(table.variables.map(({ name }, index) => [name, index]));
  return pairs.slice(0, PAIRS).map(({ one, other }, pair): ScatterFacts => {
    const axes = [one, other].map((name) => {
      const index = indexOf.get(name)!;
      return placedOn(table.variables[index]!, data[index]!, draws[index]!);
    }) as [Placed, Placed];
    const points = (side: 'data' | 'draws'): readonly (readonly [number, number])[] =>
      axes[0][side].flatMap((x, row) => {
        const y = axes[1][side][row]!;
        const stream = new RandomStream(SEED, Purpose.cell, pair * count + row);
        const [right, up] = [stream.uniform(), stream.uniform()];
        if (Number.isNaN(x) || Number.isNaN(y)) return [];
        return [[x + (2 * right - 1) * axes[0].spreadAt(x), y + (2 * up - 1) * axes[1].spreadAt(y)] as const];
      });
    return { x: axes[0].axis, y: axes[1].axis, data: points('data'), draws: points('draws'), rows: count };
  });
}

/** The values of a column on its axis, NaN of those that have no place. */
interface Placed {
  readonly axis: AxisFacts;
  readonly data: readonly number[];
  readonly draws: readonly number[];
  /** How far a point may lie from a place. */
  readonly spreadAt: (place: number) => number;
}

type Texts = readonly (string | null)[];

function placedOn(variable: Variable, data: Texts, draws: Texts): Placed {
  return variable.kind === 'ordered' ? onScale(variable, data, draws) : inBands(variable, data, draws);
}

function inBands(variable: Exclude<Variable, { kind: 'ordered' }>, data: Texts, draws: Texts): Placed {
  const { name, labels } = variable;
  const own = labels.length <= MOST_BANDS ? labels.length : MOST_BANDS - 1;
  const hasRest = own < labels.length || [...data, ...draws].includes(OTHER);
  const bands: (string | null)[] = [...labels.slice(0, own), ...(hasRest ? [OTHER] : [])];
  if (variable.holes > 0) bands.push(null);
  const placeOf = new Map(labels.map((label, at) => [label, Math.min(at, own)]));
  const places = (texts: Texts): number[] =>
    texts.map((text) => (text === null ? bands.length - 1 : (placeOf.get(text) ?? own)));
  return {
    axis: { type: 'labels', name, bands },
    data: places(data),
    draws: places(draws),
    spreadAt: () => SPREAD,
  };
}

function onScale(variable: Extract<Variable, { kind: 'ordered' }>, data: Texts, draws: Texts): Placed {
  const { name, format, range } = variable;
  const values = variable.values.filter((value) => value !== null);
  const numbers = (texts: Texts): number[] => texts.map((text) => (text === null ? NaN : numberOf(text, format)));
  const [ofData, ofDraws] = [numbers(data), numbers(draws)];
  let [low, high] = [Infinity, -Infinity];
  // where the data lies: a sample in an outermost cell may be far beyond
  for (const value of ofData)
    if (!Number.isNaN(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (!(low <= high)) [low, high] = range;
  const gap = values.length === valueCount(variable) ? leastGap(values) : 0;
  const reach = Math.max(high - low, gap);
  const margin = Math.max(reach * 0.04, gap / 2);
  const [from, to] = margin > 0 ? [low - margin, high + margin] : [low - 1, high + 1];
  const hasMissing = variable.holes > 0;
  // what is missing has a band of its own at the lower end
  const absent = from - (to - from) * 0.1;
  const place = (value: number, text: string | null): number => {
    if (text === null) return hasMissing ? absent : NaN;
    return value >= from && value <= to ? value : NaN;
  };
  return {
    axis: { type: 'scale', name, format, from, to, missing: hasMissing ? absent : null },
    data: ofData.map((value, row) => place(value, data[row]!)),
    draws: ofDraws.map((value, row) => place(value, draws[row]!)),
    spreadAt: (at) => (at === absent ? (to - from) * 0.03 : gap * SPREAD),
  };
}

function leastGap(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  let least = Infinity;
  for (let at = 1; at < ascending.length; at++) least = Math.min(least, ascending[at]! - ascending[at - 1]!);
  return Number.isFinite(least) ? least : 0;
}
