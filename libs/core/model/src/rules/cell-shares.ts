import type { OrderedVariable, Table } from '@orchard/contracts';
import { codeOfNumber, ownValue, valueCount, writtenValues, type WrittenValue } from '@orchard/dataset';
import type { Rule } from './rule.js';
import type { Sum } from './sum.js';

/** A cell of a row: its code, and its number where more is known of it than the code. */
export interface Cell {
  readonly code: number;
  readonly number: number | null;
}

/** Cells by variable. */
export type Cells = ReadonlyMap<number, Cell>;

/** As many combinations of values are tried: of more, values that stand for parts of the cells are. */
const MOST_COMBINATIONS = 4096;
/** The same where a value is computed from each. */
const MOST_COMPUTED = 1024;
/** As many values of one cell, where the other columns of a rule have one value each. */
const MOST_VALUES = 1024;
/** Shares that are kept, since most are asked for again. */
const MOST_SHARES = 2 ** 16;
/** A column has fewer codes. */
const MOST_CODES = 2 ** 16;
/** By so many values the ends of a cell are found. */
const VALUES_FOR_ENDS = 64;

/** An equality, and the column that it determines. */
interface Determined {
  readonly sum: Sum;
  readonly place: number;
}

/**
 * How much of some cells follows rules together, counted over the values of the cells as they are written: so a share
 * above 0 is of values that exist. Values are independent within their cells, but for those that an equality
 * determines: of these it is asked whether what follows from the others lies in the cell.
 */
export class CellShares {
  readonly #sums: readonly Sum[];
  /** In an order in which each follows from what comes before. */
  readonly #determined: readonly Determined[];
  readonly #shares = new Map<string, number>();
  /** Whether there is such a share, where it was not computed. */
  readonly #following = new Map<string, boolean>();
  readonly #values = new Map<string, readonly WrittenValue[]>();
  /** By column, code and whether it is computed. */
  readonly #ends = new Map<number, readonly [number, number]>();
  /** By column; of those whose number follows from others, by -1 less the column. */
  readonly #ranges = new Map<number, readonly [number, number]>();

  constructor(
    private readonly table: Table,
    private readonly rules: readonly Rule[],
  ) {
    this.#sums = rules.flatMap(({ sum }) => sum ?? []);
    this.#determined = determinedBy(this.#sums);
  }

  /** 0 to 1; rules about columns that are not among the cells do not count. */
  share(cells: Cells): number {
    const parts = this.#parts(cells);
    if (parts === null) return 0;
    return parts.reduce((share, part) => share * this.#shareOfPart(part, cells), 1);
  }

  /** Whether some of the cells' values follow the rules together. */
  mayFollow(cells: Cells): boolean {
    return (
      this.#parts(cells)?.every((part) => {
        const key = keyOf(part, cells);
        const known = this.#shares.get(key);
        if (known !== undefined) return known > 0;
        const before = this.#following.get(key);
        if (before !== undefined) return before;
        const follows = this.#combine(part, cells, (_, numbers) => numbers !== null);
        if (this.#following.size >= MOST_SHARES) this.#following.clear();
        this.#following.set(key, follows);
        return follows;
      }) ?? false
    );
  }

  #shareOfPart(part: readonly Sum[], cells: Cells): number {
    const key = keyOf(part, cells);
    const known = this.#shares.get(key);
    if (known !== undefined) return known;
    let [following, all] = [0, 0];
    this.#combine(part, cells, (weight, numbers) => {
      all += weight;
      if (numbers !== null) following += weight;
      return false;
    });
    if (this.#shares.size >= MOST_SHARES) this.#shares.clear();
    this.#shares.set(key, following / all);
    return following / all;
  }

  /**
   * Numbers of the cells that follow the rules, by variable, of those columns whose rules not all values follow.
   *
   * @param uniform decides which: of those that the shares were counted over
   */
  draw(cells: Cells, uniform: () => number): ReadonlyMap<number, number> {
    const drawn = new Map<number, number>();
    for (const part of this.#parts(cells) ?? []) {
      let all = 0;
      this.#combine(part, cells, (weight, numbers) => {
        all += numbers === null ? 0 : weight;
        return false;
      });
      let left = uniform() * all;
      let chosen: ReadonlyMap<number, number> | null = null;
      this.#combine(part, cells, (weight, numbers) => {
        if (numbers === null) return false;
        left -= weight;
        chosen = new Map(numbers);
        return left < 0;
      });
      for (const [place, value] of (chosen as ReadonlyMap<number, number> | null) ?? []) drawn.set(place, value);
    }
    return drawn;
  }

  /** The columns whose numbers follow from others, in an order in which they can be computed, where all are there. */
  determinedOf(cells: Cells): readonly Determined[] {
    return this.#determined.filter(({ sum }) => this.#isActive(sum, cells));
  }

  #isActive({ places }: Sum, cells: Cells): boolean {
    return places.every((place) => {
      const cell = cells.get(place);
      return cell !== undefined && cell.code < valueCount(this.table.variables[place]!);
    });
  }

  /** Sums that not all values follow, as far as they share columns; null where some cells cannot follow a rule. */
  #parts(cells: Cells): readonly (readonly Sum[])[] | null {
    for (const { sum, variables, allows } of this.rules)
      if (sum === null && variables.every((index) => cells.has(index)))
        if (!allows(variables.map((index) => cells.get(index)!.code))) return null;
    let parts: Sum[][] = [];
    for (const sum of this.#sums) {
      if (!this.#isActive(sum, cells)) continue;
      const computed = this.computedBy(sum);
      const ends = sum.places.map((at) => this.endsOf(at, cells.get(at)!, at === computed));
      const found = sum.within(
        ends.map(([low]) => low),
        ends.map(([, high]) => high),
      );
      if (found === 'none') return null;
      if (found === 'all') continue;
      const beside = parts.filter((part) => part.some(({ places }) => places.some((at) => sum.places.includes(at))));
      parts = [...parts.filter((part) => !beside.includes(part)), [...beside.flat(), sum]];
    }
    return parts;
  }

  /**
   * Calls for every combination of values: null where it breaks a rule.
   *
   * @param each answers true where no more are wanted
   * @returns whether it did
   */
  #combine(
    sums: readonly Sum[],
    cells: Cells,
    each: (weight: number, numbers: ReadonlyMap<number, number> | null) => boolean,
  ): boolean {
    const determined = this.#determined.filter(({ sum }) => sums.includes(sum));
    const others = sums.filter((sum) => determined.every((one) => one.sum !== sum));
    const isComputed = new Set(determined.map(({ place }) => place));
    const free = [...new Set(sums.flatMap(({ places }) => places))]
      .filter((place) => !isComputed.has(place))
      .sort((a, b) => a - b);
    const wide = free.filter((place) => this.#valuesOf(place, cells.get(place)!, 2).length > 1).length;
    const combinations = determined.length > 0 ? MOST_COMPUTED : MOST_COMBINATIONS;
    const most = wide < 2 ? MOST_VALUES : mostEach(wide, combinations);
    const values = free.map((place) => this.#valuesOf(place, cells.get(place)!, most));
    const numbers = new Map<number, number>();
    const numberAt = (place: number): number => numbers.get(place)!;
    const at = free.map(() => 0);
    for (;;) {
      let weight = 1;
      free.forEach((place, i) => {
        const one = values[i]![at[i]!]!;
        weight *= one.weight;
        numbers.set(place, one.value);
      });
      const follows =
        determined.every(({ sum, place }) => {
          const value = sum.valueOf(place, numberAt);
          numbers.set(place, value);
          return this.isIn(cells.get(place)!, place, value);
        }) && others.every((sum) => sum.holds(numberAt));
      if (each(weight, follows ? numbers : null)) return true;
      let digit = 0;
      while (digit < free.length && ++at[digit]! === values[digit]!.length) at[digit++] = 0;
      if (digit === free.length) return false;
    }
  }

  /** Whether a number that was computed lies in a cell. */
  isIn({ code, number }: Cell, place: number, value: number): boolean {
    if (number !== null) return Math.abs(number - value) <= 1e-9 * Math.max(Math.abs(number), Math.abs(value));
    return codeOfNumber(this.#variable(place), value) === code;
  }

  /** The column whose number follows from the others of an equality; null of other rules. */
  computedBy(sum: Sum): number | null {
    return this.#determined.find((one) => one.sum === sum)?.place ?? null;
  }

  /**
   * The least and the greatest number of a cell.
   *
   * @param isComputed whether the number follows from others, which tails hold however far out it is
   */
  endsOf(place: number, { code, number }: Cell, isComputed: boolean): readonly [number, number] {
    if (number !== null) return [number, number];
    const key = 2 * (MOST_CODES * place + code) + Number(isComputed);
    let ends = this.#ends.get(key);
    if (ends === undefined) {
      const variable = this.#variable(place);
      const values = writtenValues(variable, code, VALUES_FOR_ENDS);
      const isOpen = isComputed && ownValue(variable, code) === null;
      ends = isOpen
        ? [variable.edges[code - 1] ?? -Infinity, variable.edges[code] ?? Infinity]
        : [values[0]!.value, values.at(-1)!.value];
      this.#ends.set(key, ends);
    }
    return ends;
  }

  /** The least and the greatest number of a column. */
  rangeOf(place: number, isComputed: boolean): readonly [number, number] {
    const key = isComputed ? -1 - place : place;
    let range = this.#ranges.get(key);
    if (range === undefined) {
      let [least, greatest] = [Infinity, -Infinity];
      for (let code = 0; code < valueCount(this.#variable(place)); code++) {
        const [low, high] = this.endsOf(place, { code, number: null }, isComputed);
        least = Math.min(least, low);
        greatest = Math.max(greatest, high);
      }
      range = [least, greatest];
      this.#ranges.set(key, range);
    }
    return range;
  }

  #valuesOf(place: number, { code, number }: Cell, most: number): readonly WrittenValue[] {
    if (number !== null) return [{ value: number, weight: 1 }];
    const key = `${String(place)},${String(code)},${String(most)}`;
    let values = this.#values.get(key);
    if (values === undefined) {
      values = writtenValues(this.#variable(place), code, most);
      this.#values.set(key, values);
    }
    return values;
  }

  #variable(place: number): OrderedVariable {
    return this.table.variables[place] as OrderedVariable;
  }
}

/** Of each equality the column that it determines, each another one, in an order in which they can be computed. */
function determinedBy(sums: readonly Sum[]): Determined[] {
  const found: Determined[] = [];
  for (const sum of sums) {
    if (sum.comparison !== '=') continue;
    const place = sum.preferred.find((at) => inOrder([...found, { sum, place: at }]) !== null);
    // an equality that follows from the others is only asked for
    if (place !== undefined) found.push({ sum, place });
  }
  return inOrder(found)!;
}

function inOrder(determined: readonly Determined[]): Determined[] | null {
  if (new Set(determined.map(({ place }) => place)).size < determined.length) return null;
  const ordered: Determined[] = [];
  const left = new Set(determined);
  while (left.size > 0) {
    const waiting = new Set([...left].map(({ place }) => place));
    const next = [...left].find(({ sum, place }) => sum.places.every((at) => at === place || !waiting.has(at)));
    if (next === undefined) return null;
    left.delete(next);
    ordered.push(next);
  }
  return ordered;
}

/** What the share of some sums depends on. */
function keyOf(sums: readonly Sum[], cells: Cells): string {
  return sums
    .map(({ words, places }) => {
      const own = places.map((place) => {
        const { code, number } = cells.get(place)!;
        return number === null ? String(code) : `=${String(number)}`;
      });
      return `${words}:${own.join()}`;
    })
    .join(';');
}

/** How many values each of some columns may have, 2 at least, where at most so many combinations are gone through. */
function mostEach(columns: number, combinations: number): number {
  const combined = (values: number): number => {
    let all = 1;
    for (let column = 0; column < columns; column++) all *= values;
    return all;
  };
  let most = 2;
  while (combined(most + 1) <= combinations) most++;
  return most;
}
