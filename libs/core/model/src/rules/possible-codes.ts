import type { Table, Variable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { ModelError } from '../errors.js';
import type { Rule } from './rule.js';

/** Variables that rules bind together, directly or by others, in the order of the model. */
interface Group {
  readonly variables: readonly number[];
  readonly rules: readonly Rule[];
}

/** Which codes rules leave, given the codes before them: codes from which the later ones can still follow all rules. */
export class PossibleCodes {
  readonly #groupOf = new Map<number, Group>();
  /** By a group's first codes, whether the others can follow the rules. */
  readonly #canFollow = new Map<Group, Map<string, boolean>>();
  readonly #weights = new Map<Group, Map<string, Float64Array>>();
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
    for (const group of groupsOf(rules, ordering)) {
      this.#canFollow.set(group, new Map());
      this.#weights.set(group, new Map());
      for (const index of group.variables) this.#groupOf.set(index, group);
      if (this.#follows(group, [])) continue;
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

  /**
   * How far each code of a variable may follow the codes before it, 0 to 1; null where no rule is about it.
   *
   * @param codeOf a variable that comes before
   */
  weightsOf(index: number, codeOf: (index: number) => number): Float64Array | null {
    const group = this.#groupOf.get(index);
    if (group === undefined) return null;
    const before = group.variables.slice(0, group.variables.indexOf(index)).map(codeOf);
    const known = this.#weights.get(group)!;
    const key = before.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const weights = Float64Array.from({ length: codeCount(this.table.variables[index]!) }, (_, code) => {
      const codes = [...before, code];
      const share = shareOf(group, codes);
      return share > 0 && this.#follows(group, codes) ? share : 0;
    });
    known.set(key, weights);
    return weights;
  }

  /** Whether codes of the group's other variables can follow all rules. */
  #follows(group: Group, codes: readonly number[]): boolean {
    if (codes.length === group.variables.length) return true;
    const known = this.#canFollow.get(group)!;
    const key = codes.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const weights = this.#taken[group.variables[codes.length]!]!;
    const can = weights.some((weight, code) => {
      const more = [...codes, code];
      return weight > 0 && shareOf(group, more) > 0 && this.#follows(group, more);
    });
    known.set(key, can);
    return can;
  }
}

/** How far the last of some first codes follows those rules that it is the last one of. */
function shareOf({ variables, rules }: Group, codes: readonly number[]): number {
  const last = variables[codes.length - 1]!;
  let share = 1;
  for (const rule of rules) {
    const places = rule.variables.map((index) => variables.indexOf(index));
    if (!rule.variables.includes(last) || places.some((place) => place >= codes.length)) continue;
    share *= rule.share(places.map((place) => codes[place]!));
  }
  return share;
}

function groupsOf(rules: readonly Rule[], ordering: Uint32Array): Group[] {
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
  }));
}
