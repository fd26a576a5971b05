import type { ColumnSum, OrderedVariable, Table } from '@orchard/contracts';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { codeCount } from './codes.js';

/** Cut points of a sum: its bits are one field, whose codes are how many of them are set. */
const MOST_CUTS = 255;

/**
 * What two columns say of a third in one ordering of a table (`ColumnSum` of the contracts): their sum or difference,
 * each number standing for what the predictor bits of its column tell of it.
 */
export interface SumInOrdering {
  /** Positions of the two. The bits of the sum stand behind those of the second. */
  readonly first: number;
  readonly second: number;
  /** The position of the third, behind both. */
  readonly target: number;
  /** By code; NaN of a missing value. */
  readonly ofFirst: Float64Array;
  readonly ofSecond: Float64Array;
  /** Ascending, borders of the third column's cells: bit i is 1 where the sum is at least cut i. */
  readonly cuts: Float64Array;
}

/** By position: the sums whose bits stand behind those of the variable there. */
export function sumsInOrdering(
  { variables, sums }: Pick<Table, 'variables' | 'sums'>,
  ordering: ArrayLike<number>,
): readonly (readonly SumInOrdering[])[] {
  const byPosition: SumInOrdering[][] = Array.from(ordering, () => []);
  if (sums === undefined) return byPosition;
  const positionOf = new Map(Array.from(ordering, (index, position) => [variables[index]!.name, position]));
  for (const { total, parts } of sums) {
    const [first, second, target] = [total, ...parts].map((name) => positionOf.get(name)!).sort((a, b) => a - b);
    const whole = positionOf.get(total)!;
    const numbersAt = (position: number): Float64Array => {
      const isSubtracted = whole !== target && position !== whole;
      const numbers = numbersBetweenCuts(variables[ordering[position]!] as OrderedVariable);
      return isSubtracted ? numbers.map((number) => -number) : numbers;
    };
    byPosition[second!]!.push({
      first: first!,
      second: second!,
      target: target!,
      ofFirst: numbersAt(first!),
      ofSecond: numbersAt(second!),
      cuts: cutsOf(variables[ordering[target!]!] as OrderedVariable),
    });
  }
  return byPosition;
}

/**
 * An ordering in which the total of a sum comes before its parts, and of these the one with less spread before the
 * other: a bill, what is paid of it, what is left. A large number less a small one says well where the last lies. Where
 * a payment comes last it is the difference of two large numbers that were drawn each with its own error, and samples
 * have all of that error. Columns change places for nothing else; a sum that contradicts those before it changes
 * nothing.
 */
export function totalsBeforeParts(table: Pick<Table, 'variables' | 'sums'>, ordering: ArrayLike<number>): number[] {
  const { variables, sums = [] } = table;
  let order = Array.from(ordering);
  const before: (readonly number[])[] = [];
  for (const { total, parts } of sums) {
    const [whole, ...rest] = [total, ...parts].map((name) => variables.findIndex((variable) => variable.name === name));
    const [less, more] = rest.sort(
      (one, other) => spreadOf(variables[one] as OrderedVariable) - spreadOf(variables[other] as OrderedVariable),
    );
    before.push([whole!, less!], [less!, more!]);
    const next = inOrder(Array.from(ordering), before);
    if (next === null) before.splice(-2);
    else order = next;
  }
  return order;
}

/** The first one that nothing has to come before, again and again; null where pairs go round in a circle. */
function inOrder(ordering: readonly number[], before: readonly (readonly number[])[]): number[] | null {
  const left = [...ordering];
  const order: number[] = [];
  while (left.length > 0) {
    const at = left.findIndex((index) => !before.some(([one, other]) => other === index && left.includes(one!)));
    if (at < 0) return null;
    order.push(left[at]!);
    left.splice(at, 1);
  }
  return order;
}

/** What the middle half of a column's cuts lies between. */
function spreadOf({ cuts, edges }: OrderedVariable): number {
  const edgeAt = (share: number): number => edges[cuts[Math.floor(share * (cuts.length - 1))]! - 1]!;
  return edgeAt(0.75) - edgeAt(0.25);
}

/** How many bits of sums stand behind those of the variable at each position. */
export function sumBitsInOrdering(
  table: Pick<Table, 'variables' | 'sums'>,
  ordering: ArrayLike<number>,
): readonly number[] {
  return sumsInOrdering(table, ordering).map((sums) => sums.reduce((all, { cuts }) => all + cuts.length, 0));
}

/** How many of a sum's bits are set, the first ones; none where a value is missing. */
export function sumCode({ ofFirst, ofSecond, cuts }: SumInOrdering, firstCode: number, secondCode: number): number {
  const sum = ofFirst[firstCode]! + ofSecond[secondCode]!;
  // by a loop: it is asked for each row and particle, and `firstThat` takes half as long again
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sum >= cuts[middle]!) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Sets the bits of a sum from bit `from` of each row on; they are zero before.
 *
 * @param firstCodeOf the code of the sum's first column in a row
 * @param secondCodes of the second, by row
 */
export function setSumBits(
  { bytes, stride }: BitMatrix,
  from: number,
  sum: SumInOrdering,
  firstCodeOf: (row: number) => number,
  secondCodes: Uint16Array,
): void {
  for (let row = 0; row < secondCodes.length; row++) {
    const end = from + sumCode(sum, firstCodeOf(row), secondCodes[row]!);
    for (let bit = from; bit < end; bit++) bytes[row * stride + (bit >> 3)]! |= 0x80 >> (bit & 7);
  }
}

/**
 * By code, the middle of the range that a column's cut points leave for the value, or the atom: a function of the
 * predictor bits, so that codes with equal bits are equal to all other variables. Exact in every language.
 */
function numbersBetweenCuts(variable: OrderedVariable): Float64Array {
  const { edges, cuts, pieces, values, atoms } = variable;
  const { borders } = pieces!;
  const ends = [borders[0]!, ...cuts.map((cut) => edges[cut - 1]!), borders.at(-1)!];
  const numbers = new Float64Array(codeCount(variable)).fill(NaN);
  for (let cell = 0, passed = 0; cell < values.length; cell++) {
    while (passed < cuts.length && cuts[passed]! <= cell) passed++;
    numbers[cell] = ends[passed]! / 2 + ends[passed + 1]! / 2;
  }
  (atoms?.values ?? []).forEach((value, atom) => {
    numbers[values.length + atom] = value;
  });
  return numbers;
}

/** Borders of cells at which others split on a column, every n-th where they are more than a byte counts. */
function cutsOf({ cuts, edges }: OrderedVariable): Float64Array {
  const step = Math.ceil(cuts.length / MOST_CUTS);
  return Float64Array.from(
    cuts.filter((_, at) => at % step === 0),
    (cut) => edges[cut - 1]!,
  );
}

/** `bill2 near bill1 + paid`. */
export function describeSum({ total, parts }: ColumnSum): string {
  return `${total} near ${parts.join(' + ')}`;
}
