import type { Table, Variable } from '@orchard/contracts';
import { codeCount, valueCount } from '@orchard/dataset';
import { ModelError } from '../errors.js';
import { CellShares, type Cell } from './cell-shares.js';
import type { Rule } from './rule.js';

/** Variables that rules bind together, directly or by others, in the order of the model. */
interface Group {
  readonly variables: readonly number[];
  readonly rules: readonly Rule[];
  readonly shares: CellShares;
  readonly known: Known;
}

/** What was computed, by the cells that are known. */
interface Known {
  readonly shares: Map<string, number>;
  readonly canFollow: Map<string, boolean>;
  readonly weights: Map<string, Float64Array>;
}

/** Beyond it what was computed is computed anew: cells with numbers of their own come again less often. */
const MOST_KNOWN = 2 ** 16;

/** Cells of a group in the order of the model; null where a cell is open. */
type States = readonly (Cell | null)[];

/** Which codes rules leave, given the codes before them: codes from which the later ones can still follow all rules. */
export class PossibleCodes {
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
    for (const group of groupsOf(table, rules, ordering)) {
      for (const index of group.variables) this.#groupOf.set(index, group);
      if (
        this.#follows(
          group,
          group.variables.map(() => null),
          0,
        )
      )
        continue;
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
    return [...new Set(this.#groupOf.values())].every((group) => this.#follows(group, group.variables.map(cellOf), 0));
  }

  /** Each group's variables and the shares of its cells. */
  groups(): readonly { readonly variables: readonly number[]; readonly shares: CellShares }[] {
    return [...new Set(this.#groupOf.values())];
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
    return kept(group.known.weights, `${String(at)}:${keyOf(states)}`, () => {
      const before = this.#shareOf(group, states.slice(0, at));
      return Float64Array.from({ length: codeCount(this.table.variables[index]!) }, (_, code) => {
        const cells = states.with(at, { code, number: null });
        const share = before === 0 ? 0 : this.#shareOf(group, cells.slice(0, at + 1)) / before;
        return share > 0 && this.#follows(group, cells, at + 1) ? share : 0;
      });
    });
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

  /** Whether cells of the group's other variables can follow all rules. @param at the first that may be open */
  #follows(group: Group, states: States, at: number): boolean {
    if (at === group.variables.length) return true;
    return kept(group.known.canFollow, `${String(at)}:${keyOf(states)}`, () => {
      if (!this.#isOpen(group, states)) return false;
      const can = (cell: Cell): boolean => {
        const more = states.with(at, cell);
        return group.shares.mayFollow(cellsOf(group, more.slice(0, at + 1))) && this.#follows(group, more, at + 1);
      };
      const own = states[at]!;
      if (own !== null) return can(own);
      const weights = this.#taken[group.variables[at]!]!;
      return weights.some((weight, code) => weight > 0 && can({ code, number: null }));
    });
  }

  #isOpen(group: Group, states: States): boolean {
    return group.shares.isOpen(cellsOf(group, states), (index) => {
      const values = valueCount(this.table.variables[index]!);
      return this.#taken[index]!.some((weight, code) => weight > 0 && code >= values);
    });
  }

  #shareOf(group: Group, states: States): number {
    return kept(group.known.shares, keyOf(states), () => group.shares.share(cellsOf(group, states)));
  }
}

function cellsOf({ variables }: Group, states: States): Map<number, Cell> {
  const cells = new Map<number, Cell>();
  states.forEach((cell, at) => {
    if (cell !== null) cells.set(variables[at]!, cell);
  });
  return cells;
}

function kept<Value>(known: Map<string, Value>, key: string, compute: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = compute();
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, value);
  return value;
}

function keyOf(states: States): string {
  return states
    .map((cell) =>
      cell === null ? '' : cell.number === null ? String(cell.code) : `${String(cell.code)}=${String(cell.number)}`,
    )
    .join();
}

function groupsOf(table: Table, rules: readonly Rule[], ordering: Uint32Array): Group[] {
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
  return sets.map((group) => ({
    variables: Array.from(ordering).filter((index) => group.variables.has(index)),
    rules: group.rules,
    shares: new CellShares(table, group.rules),
    known: { shares: new Map(), canFollow: new Map(), weights: new Map() },
  }));
}
