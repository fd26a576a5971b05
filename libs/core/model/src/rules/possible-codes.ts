import type { Table, Variable } from '@orchard/contracts';
import { codeCount, valueCount } from '@orchard/dataset';
import { ModelError } from '../errors.js';
import { CellShares, type Cell } from './cell-shares.js';
import { GroupCells } from './group-cells.js';
import type { Rule } from './rule.js';

/** Variables that rules bind together, directly or by others, in the order of the model. */
interface Group {
  readonly variables: readonly number[];
  readonly rules: readonly Rule[];
  readonly shares: CellShares;
  readonly cells: GroupCells;
  /** By place: a code from which rules could be followed the last time. */
  readonly lastFound: Int32Array;
  readonly known: Known;
  /** Of any of its variables. */
  readonly mostCodes: number;
  /** Codes that were tried since a question was asked. */
  tried: number;
}

/** What was computed, by the cells that are known. */
interface Known {
  readonly shares: Map<string, number>;
  readonly canFollow: Map<string, boolean>;
  readonly weights: Map<string, Float64Array>;
}

/** Beyond it what was computed is computed anew: cells with numbers of their own come again less often. */
const MOST_KNOWN = 2 ** 16;
/** The same where what was computed is a number for each code of a column: so many numbers, 16 MiB. */
const MOST_WEIGHTS = 2 ** 21;
/** Where more codes are tried for one answer, answers to parts of the question are kept. */
const MANY_TRIED = 256;

/** Cells of a group in the order of the model; null where a cell is open. */
type States = readonly (Cell | null)[];

/** Which codes rules leave, given the codes before them: codes from which the later ones can still follow all rules. */
export class PossibleCodes {
  readonly #groups: readonly Group[];
  readonly #groupOf = new Map<number, Group>();
  readonly #taken: readonly Float64Array[];

  /**
   * @param takenOf which codes of a variable there may be, above 0: those that are drawn, or all
   * @throws ModelError `invalid-argument` for rules that no row can follow together
   */
  constructor(
    private readonly table: Table,
    rules: readonly Rule[],
    ordering: Uint32Array,
    takenOf: (variable: Variable) => Float64Array,
  ) {
    this.#taken = table.variables.map(takenOf);
    this.#groups = groupsOf(table, rules, ordering, this.#taken);
    for (const group of this.#groups) {
      for (const index of group.variables) this.#groupOf.set(index, group);
      if (this.#canFollow(group, () => null)) continue;
      throw new ModelError('invalid-argument', {
        got: `rules that no row can follow: ${group.rules.map(({ words }) => words).join('; ')}`,
        expected: 'rules that some row follows',
        where: 'rules',
        remedy: 'Leave one of them out.',
      });
    }
  }

  isBound(index: number): boolean {
    return this.#groupOf.has(index);
  }

  /** The variables that rules bind to this one, itself among them; none where no rule is about it. */
  boundTo(index: number): readonly number[] {
    return this.#groupOf.get(index)?.variables ?? [];
  }

  /** Whether what is known of a row can follow the rules. @param cellOf as in {@link PossibleCodes.weightsOf} */
  isPossible(cellOf: (index: number) => Cell | null): boolean {
    return this.#groups.every((group) => this.#canFollow(group, cellOf));
  }

  /** Each group's variables and the shares of its cells. */
  groups(): readonly { readonly variables: readonly number[]; readonly shares: CellShares }[] {
    return this.#groups;
  }

  /**
   * How far each code of a variable may follow the cells before it, 0 to 1; null where no rule is about it.
   *
   * @param cellOf the cell of another variable; null where it is open, as later ones are unless they are known
   */
  weightsOf(index: number, cellOf: (index: number) => Cell | null): Float64Array | null {
    const group = this.#groupOf.get(index);
    if (group === undefined) return null;
    const at = group.variables.indexOf(index);
    const states = group.variables.map((other) => (other === index ? null : cellOf(other)));
    // of the group's columns the one of most codes has the longest answers
    const most = Math.floor(MOST_WEIGHTS / group.mostCodes);
    return kept(group.known.weights, `${String(at)}:${keyOf(states)}`, () => this.#weigh(group, states, at), most);
  }

  #weigh(group: Group, states: States, at: number): Float64Array {
    const { cells } = group;
    const weights = new Float64Array(codeCount(this.table.variables[group.variables[at]!]!));
    const before = this.#shareOf(group, states.slice(0, at));
    cells.setAll(states);
    if (before === 0 || cells.excludesAllAt(at)) return weights;
    // where no later cell depends on this one, all codes have the same answer
    let later: boolean | null = null;
    for (let code = 0; code < weights.length; code++) {
      cells.setCode(at, code);
      const found = cells.standingAt(at);
      if (found === 'none') continue;
      const share = found === 'all' ? 1 : this.#shareOf(group, [...states.slice(0, at), cells.at(at)]) / before;
      if (share === 0) continue;
      group.tried = 0;
      const isOfItsOwn = cells.reachesBeyond(at);
      if (!isOfItsOwn) later ??= this.#laterFollow(group, at + 1);
      if (isOfItsOwn ? this.#laterFollow(group, at + 1) : later === true) weights[code] = share;
    }
    return weights;
  }

  /** How much of the cells that come before a variable, and of its own, follows the rules: given those before. */
  shareOfKnown(index: number, cellOf: (index: number) => Cell | null): number {
    const group = this.#groupOf.get(index);
    if (group === undefined) return 1;
    const at = group.variables.indexOf(index);
    const states = group.variables.slice(0, at + 1).map(cellOf);
    const before = this.#shareOf(group, states.slice(0, at));
    return before === 0 ? 0 : this.#shareOf(group, states) / before;
  }

  #canFollow(group: Group, cellOf: (index: number) => Cell | null): boolean {
    group.cells.setAll(group.variables.map(cellOf));
    group.tried = 0;
    return this.#laterFollow(group, 0);
  }

  /** Whether the cells from a place on can follow all rules, given those before. */
  #laterFollow(group: Group, at: number): boolean {
    const { cells, known } = group;
    if (at === group.variables.length) return true;
    if (cells.at(at) !== null) return this.#fits(group, at) && this.#laterFollow(group, at + 1);
    if (group.tried < MANY_TRIED) return this.#someFollow(group, at);
    return kept(known.canFollow, `${String(at)}:${keyOf(cells.all)}`, () => this.#someFollow(group, at));
  }

  /** The same of an open cell: by the code of the last time first, and those next to it. */
  #someFollow(group: Group, at: number): boolean {
    const { cells, lastFound } = group;
    const taken = this.#taken[group.variables[at]!]!;
    const last = lastFound[at]!;
    for (let n = 0; n < 2 * taken.length; n++) {
      const code = n % 2 === 0 ? last + n / 2 : last - (n + 1) / 2;
      // beyond the codes there is none
      if (!(taken[code]! > 0)) continue;
      group.tried++;
      cells.setCode(at, code);
      const follows = this.#fits(group, at) && this.#laterFollow(group, at + 1);
      cells.set(at, null);
      if (!follows) continue;
      lastFound[at] = code;
      return true;
    }
    return false;
  }

  /** Whether some values of the cells up to a place follow the rules, as far as these are about the place. */
  #fits({ cells, shares }: Group, at: number): boolean {
    const found = cells.standingAt(at);
    return found === 'some' ? shares.mayFollow(cells.upTo(at)) : found === 'all';
  }

  #shareOf(group: Group, states: States): number {
    return kept(group.known.shares, keyOf(states), () => {
      const cells = new Map<number, Cell>();
      states.forEach((cell, at) => {
        if (cell !== null) cells.set(group.variables[at]!, cell);
      });
      return group.shares.share(cells);
    });
  }
}

function kept<Value>(known: Map<string, Value>, key: string, compute: () => Value, most = MOST_KNOWN): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  if (known.size >= most) known.clear();
  known.set(key, value);
  return value;
}

function keyOf(states: States): string {
  let key = '';
  for (const cell of states) {
    if (cell !== null) key += cell.number === null ? String(cell.code) : `${String(cell.code)}=${String(cell.number)}`;
    key += ',';
  }
  return key;
}

function groupsOf(
  table: Table,
  rules: readonly Rule[],
  ordering: Uint32Array,
  taken: readonly Float64Array[],
): readonly Group[] {
  const sets: { variables: Set<number>; rules: Rule[] }[] = [];
  for (const rule of rules) {
    const own = { variables: new Set(rule.variables), rules: [rule] };
    for (const other of sets.filter(({ variables }) => rule.variables.some((index) => variables.has(index)))) {
      other.variables.forEach((index) => own.variables.add(index));
      for (const rule of other.rules) own.rules.push(rule);
      sets.splice(sets.indexOf(other), 1);
    }
    sets.push(own);
  }
  return sets.map((group) => {
    const variables = Array.from(ordering).filter((index) => group.variables.has(index));
    const shares = new CellShares(table, group.rules);
    const mayLack = variables.map((index) => {
      const values = valueCount(table.variables[index]!);
      return taken[index]!.some((weight, code) => weight > 0 && code >= values);
    });
    return {
      variables,
      rules: group.rules,
      shares,
      cells: new GroupCells(table, variables, group.rules, shares, mayLack),
      lastFound: new Int32Array(variables.length),
      known: { shares: new Map(), canFollow: new Map(), weights: new Map() },
      mostCodes: variables.reduce((most, index) => Math.max(most, codeCount(table.variables[index]!)), 1),
      tried: 0,
    };
  });
}
