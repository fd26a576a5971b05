import type { Table } from '@orchard/contracts';
import { valueCount } from '@orchard/dataset';
import type { Cell, CellShares } from './cell-shares.js';
import type { Rule } from './rule.js';
import type { Standing, Sum } from './sum.js';

/** A rule of a group, by places in the group. */
interface PlacedRule {
  readonly rule: Rule;
  readonly places: readonly number[];
  /** The last of the places. */
  readonly last: number;
  /** The place whose number follows from the others; -1 where there is none. */
  readonly computed: number;
  /** Room for the ends of its cells. */
  readonly lows: Float64Array;
  readonly highs: Float64Array;
}

/** The ends of a cell's numbers, where they are given and where they follow from others. */
interface Ends {
  readonly given: readonly [number, number];
  readonly computed: readonly [number, number];
}

/** A cell that has no number, and breaks no comparison. */
const LACKING = 'lacking';
/** A cell of a code alone. */
interface CodeAtPlace {
  readonly cell: Cell;
  readonly ends: Ends | typeof LACKING;
}

/** Of a column that no sum is about. */
const NO_NUMBER: Ends = { given: [0, 0], computed: [0, 0] };

/**
 * Cells of variables that rules bind together, some of them open, and how these cells stand to the rules by the ends of
 * their numbers: a quick look, before the values of cells are gone through.
 */
export class GroupCells {
  readonly #cells: (Cell | null)[];
  readonly #ends: (Ends | typeof LACKING)[];
  readonly #open: readonly Ends[];
  /** By place, whether a sum is about it. */
  readonly #isCounted: readonly boolean[];
  /** By place and code, where it was asked for. */
  readonly #ofCodes: CodeAtPlace[][];
  /** By place, the rules about it. */
  readonly #rulesAt: readonly (readonly PlacedRule[])[];
  readonly #rules: readonly PlacedRule[];

  /**
   * @param variables in the order of the model
   * @param mayLack by place, whether an open cell may have no number
   */
  constructor(
    private readonly table: Table,
    private readonly variables: readonly number[],
    rules: readonly Rule[],
    private readonly shares: CellShares,
    private readonly mayLack: readonly boolean[],
  ) {
    this.#cells = variables.map(() => null);
    this.#ofCodes = variables.map(() => []);
    const counted = new Set(rules.flatMap(({ sum }) => sum?.places ?? []));
    this.#isCounted = variables.map((index) => counted.has(index));
    this.#open = variables.map((index) =>
      counted.has(index) ? { given: shares.rangeOf(index, false), computed: shares.rangeOf(index, true) } : NO_NUMBER,
    );
    this.#ends = [...this.#open];
    this.#rules = rules.map((rule): PlacedRule => {
      const places = rule.variables.map((index) => variables.indexOf(index));
      const computed = rule.sum === null ? null : shares.computedBy(rule.sum);
      const [lows, highs] = [new Float64Array(places.length), new Float64Array(places.length)];
      const place = computed === null ? -1 : variables.indexOf(computed);
      return {
        rule,
        places,
        last: places.reduce((last, place) => Math.max(last, place)),
        computed: place,
        lows,
        highs,
      };
    });
    this.#rulesAt = variables.map((_, at) => this.#rules.filter(({ places }) => places.includes(at)));
  }

  /** The cells as they are. */
  get all(): readonly (Cell | null)[] {
    return this.#cells;
  }

  at(place: number): Cell | null {
    return this.#cells[place]!;
  }

  /** @param cells by place; null leaves one open */
  setAll(cells: readonly (Cell | null)[]): void {
    for (let place = 0; place < cells.length; place++) this.set(place, cells[place]!);
  }

  set(place: number, cell: Cell | null): void {
    this.#cells[place] = cell;
    this.#ends[place] = cell === null ? this.#open[place]! : this.#endsOf(place, cell);
  }

  /** Sets a cell of which nothing but the code is known. */
  setCode(place: number, code: number): void {
    this.#ofCodes[place]![code] ??= this.#ofCode(place, code);
    const known = this.#ofCodes[place]![code];
    this.#cells[place] = known.cell;
    this.#ends[place] = known.ends;
  }

  #ofCode(place: number, code: number): CodeAtPlace {
    const cell = { code, number: null };
    return { cell, ends: this.#endsOf(place, cell) };
  }

  /** The cells up to a place, itself among them, by variable. */
  upTo(place: number): Map<number, Cell> {
    const cells = new Map<number, Cell>();
    for (let at = 0; at <= place; at++) {
      const cell = this.#cells[at]!;
      if (cell !== null) cells.set(this.variables[at]!, cell);
    }
    return cells;
  }

  /** Whether a rule about this place is about later ones too. */
  reachesBeyond(place: number): boolean {
    return this.#rulesAt[place]!.some(({ last }) => last > place);
  }

  /** Whether cells beside this one break a rule that is not about it. */
  excludesAllAt(place: number): boolean {
    return this.#rules.some((one) => !one.places.includes(place) && this.#standing(one, place) === 'none');
  }

  /**
   * How the numbers of the cells stand to the rules about a place: none follow some rule, all follow those rules that
   * are about this place and earlier ones alone, or neither can be seen by the ends of cells.
   */
  standingAt(place: number): Standing {
    let isCertain = true;
    for (const one of this.#rulesAt[place]!) {
      const found = this.#standing(one, place);
      if (found === 'none') return 'none';
      if (found === 'some' && one.last <= place) isCertain = false;
    }
    return isCertain ? 'all' : 'some';
  }

  #standing(one: PlacedRule, upTo: number): Standing {
    const { sum } = one.rule;
    return sum === null ? this.#standingOfCodes(one, upTo) : this.#standingOfSum(one, sum);
  }

  /** Rules about codes are asked once all their cells have come. */
  #standingOfCodes({ rule, places, last }: PlacedRule, upTo: number): Standing {
    if (last > upTo || places.some((place) => this.#cells[place] === null)) return 'some';
    return rule.allows(places.map((place) => this.#cells[place]!.code)) ? 'all' : 'none';
  }

  #standingOfSum({ places, computed, lows, highs }: PlacedRule, sum: Sum): Standing {
    let mayLack = false;
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!;
      const ends = this.#ends[place]!;
      if (ends === LACKING) return 'all';
      if (this.#cells[place] === null && this.mayLack[place]!) mayLack = true;
      const own = place === computed ? ends.computed : ends.given;
      lows[at] = own[0];
      highs[at] = own[1];
    }
    const found = sum.within(lows, highs);
    return found === 'none' && mayLack ? 'some' : found;
  }

  #endsOf(place: number, cell: Cell): Ends | typeof LACKING {
    if (!this.#isCounted[place]!) return NO_NUMBER;
    const index = this.variables[place]!;
    if (cell.code >= valueCount(this.table.variables[index]!)) return LACKING;
    return { given: this.shares.endsOf(index, cell, false), computed: this.shares.endsOf(index, cell, true) };
  }
}
