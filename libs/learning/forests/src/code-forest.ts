import { exp, greatestOf, log, sumOf } from '@orchard/numerics';
import { jointByTerms } from './joint-by-terms.js';

/** Below this, what is left to multiply is scaled: a few more factors cannot underflow. */
const SMALL = 1e-150;

/** A variable of codes and how it is predicted. */
export interface ForestVariable {
  /** -1 of a root. */
  readonly parent: number;
  /** The group of each code, 0 to one less than there are. */
  readonly groupOf: Uint16Array;
  /** P(code | its group). */
  readonly within: Float64Array;
  /** P(group | the parent's group): element `parent's group * groups + group`; of a root one line. */
  readonly given: Float64Array;
}

/** What is known of a variable: its code, how far each code is allowed, or nothing. */
type Said = number | ArrayLike<number> | null;

/** A variable and the room for what is known around it. */
interface Node extends ForestVariable {
  readonly groups: number;
  /** log P(group | the parent's group) and log P(code | group). */
  readonly logGiven: Float64Array;
  readonly logWithin: Float64Array;
  /** What the children say of each group: ∏ Σ P(y | group) λ(y). */
  readonly below: Float64Array;
  /**
   * Logarithms of what was taken out of `below`, of groups that became improbable beside others before all children had
   * spoken.
   */
  readonly taken: Float64Array;
  /** The same with what is known of the variable itself. */
  readonly belief: Float64Array;
  /** Of each group of the parent the weight of all codes, among which one is drawn; NaN where none was yet. */
  readonly totals: Float64Array;
  /** The weight of each of them, where there is a total. */
  readonly weights: Float64Array[];
  said: Said;
}

/**
 * A forest over variables of codes, each code in a group: P(x) = ∏ P(g_v | g_parent(v)) P(x_v | g_v). Groups predict
 * groups, and what a code is within its group depends on nothing else; where every code is a group of its own that is
 * any forest over categories.
 *
 * Every question about a row is one pass up and one down, and exact: O(Σ groups x parent's groups + codes), less where
 * values are known.
 */
export class CodeForest {
  /** Parents before children, roots in their order. */
  readonly ordering: Uint32Array;
  readonly #nodes: readonly Node[];
  /** Of {@link condition}, by variable: P(group | what is known), which {@link marginalsInto} fills. */
  readonly #shares: readonly Float64Array[];

  /**
   * @throws RangeError where parents go round, groups or sizes contradict each other, or a distribution does not sum to
   *   one
   */
  constructor(readonly variables: readonly ForestVariable[]) {
    this.ordering = orderOf(variables);
    this.#nodes = variables.map((variable, index) => {
      const groups = checkedGroups(variable, index, variables);
      // one shape of all nodes, which a spread would not give
      const { parent, groupOf, within, given } = variable;
      return {
        parent,
        groupOf,
        within,
        given,
        groups,
        logGiven: variable.given.map((share) => log(share)),
        logWithin: variable.within.map((share) => log(share)),
        below: new Float64Array(groups),
        taken: new Float64Array(groups),
        belief: new Float64Array(groups),
        totals: new Float64Array(given.length / groups),
        weights: [],
        said: null,
      };
    });
    this.#shares = this.#nodes.map(({ groups }) => new Float64Array(groups));
  }

  /**
   * log P(code | parent's code) of one variable in many rows, nats: added to `cells[row * variables + index]`, or to
   * `cells[row]` where rows are summed.
   *
   * @param columns the codes of each variable, by row
   */
  #addCellsOf(index: number, columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    const { parent, groupOf, groups, logGiven, logWithin } = this.#nodes[index]!;
    const codes = columns[index]!;
    const step = are === 'sums' ? 1 : this.#nodes.length;
    let at = are === 'sums' ? 0 : index;
    if (parent < 0) {
      const nats = logWithin.map((within, code) => logGiven[groupOf[code]!]! + within);
      for (let row = 0; row < codes.length; row++, at += step) cells[at]! += nats[codes[row]!]!;
      return;
    }
    const parents = columns[parent]!;
    const lineOf = this.#nodes[parent]!.groupOf;
    for (let row = 0; row < codes.length; row++, at += step) {
      const code = codes[row]!;
      cells[at]! += logGiven[lineOf[parents[row]!]! * groups + groupOf[code]!]! + logWithin[code]!;
    }
  }

  /** The same of all variables, one after the other. */
  addCells(columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    for (let index = 0; index < columns.length; index++) this.#addCellsOf(index, columns, cells, are);
  }

  /**
   * log P(code, all other codes of a row) of each code of a variable, nats: element `row * codes + code`. Terms are
   * added in the order in which {@link addCells} adds them.
   */
  jointOfRows(columns: readonly Uint16Array[]): (index: number) => Float64Array {
    const cells = new Float64Array((columns[0]?.length ?? 0) * this.#nodes.length);
    this.addCells(columns, cells, 'cells');
    return jointByTerms(this.#nodes, cells, columns);
  }

  /** P(code | parent's code) of one variable: to `probabilities[offset + code]`. */
  distributionInto(index: number, codes: ArrayLike<number>, probabilities: Float64Array, offset: number): void {
    const { parent, groupOf, groups, given, within } = this.#nodes[index]!;
    const line = parent < 0 ? 0 : this.#nodes[parent]!.groupOf[codes[parent]!]!;
    within.forEach((share, code) => {
      probabilities[offset + code] = share * given[line * groups + groupOf[code]!]!;
    });
  }

  /**
   * From the leaves to the roots: λ_v(g) = P(what is known of v | g) ∏ over children Σ_h P(h | g) λ_child(h). What is
   * scaled away comes back as its logarithm.
   *
   * @returns log P(what is said), nats; -Infinity where it cannot be
   */
  condition(said: readonly Said[]): number {
    const nodes = this.#nodes;
    let evidence = 0;
    nodes.forEach((node, index) => {
      node.said = said[index]!;
      node.below.fill(1);
      node.totals.fill(NaN);
    });
    for (let at = this.ordering.length - 1; at >= 0; at--) {
      const node = nodes[this.ordering[at]!]!;
      const { parent, groups, given, below, belief } = node;
      weigh(node);
      evidence += giveBack(node);
      for (let group = 0; group < groups; group++) belief[group]! *= below[group]!;
      evidence += scale(belief);
      if (parent < 0) {
        evidence += log(product(given, 0, belief));
        continue;
      }
      const { below: above, taken } = nodes[parent]!;
      for (let line = 0; line < above.length; line++) above[line]! *= product(given, line * groups, belief);
      if (above.some((value) => value < SMALL)) {
        evidence += scale(above);
        // children that are still to come may say the opposite
        takeSmall(above, taken);
      }
    }
    return evidence;
  }

  /**
   * Draws what is unknown given what was said, from the roots to the leaves.
   *
   * @param codes the row, to be filled
   * @param uniform the next number in [0, 1): one is taken a variable, known or not
   */
  drawInto(codes: Uint16Array, uniform: () => number): void {
    for (const index of this.ordering) {
      const number = uniform();
      const node = this.#nodes[index]!;
      const { said, parent } = node;
      if (typeof said === 'number') {
        codes[index] = said;
        continue;
      }
      const above = parent < 0 ? 0 : this.#nodes[parent]!.groupOf[codes[parent]!]!;
      if (Number.isNaN(node.totals[above]!)) weighCodes(node, said, above);
      const weights = node.weights[above]!;
      let rest = number * node.totals[above]!;
      let taken = -1;
      for (let code = 0; code < weights.length; code++) {
        const weight = weights[code]!;
        if (weight > 0) taken = code;
        if (rest < weight) break;
        rest -= weight;
      }
      codes[index] = Math.max(taken, 0);
    }
  }

  /** P(code | what was said) of each variable: to `probabilities[variable][offsets[variable] + code]`. */
  marginalsInto(probabilities: readonly Float64Array[], offsets: ArrayLike<number>): void {
    for (const index of this.ordering) {
      const node = this.#nodes[index]!;
      const { parent, groups, given, belief, groupOf, within, said } = node;
      const shares = this.#shares[index]!.fill(0);
      const above = parent < 0 ? null : this.#shares[parent]!;
      for (let line = 0; line < (above?.length ?? 1); line++) {
        const own = above === null ? 1 : above[line]!;
        const all = own === 0 ? 0 : product(given, line * groups, belief);
        if (!(all > 0)) continue;
        for (let group = 0; group < groups; group++)
          shares[group]! += (own * given[line * groups + group]! * belief[group]!) / all;
      }
      const into = probabilities[index]!;
      const from = offsets[index]!;
      if (typeof said === 'number') {
        into.fill(0, from, from + within.length);
        into[from + said] = 1;
        continue;
      }
      // within a group codes are as they are by themselves, and as far as they are allowed
      const allowed = new Float64Array(groups);
      within.forEach((share, code) => {
        allowed[groupOf[code]!]! += share * (said === null ? 1 : said[code]!);
      });
      within.forEach((share, code) => {
        const group = groupOf[code]!;
        const own = share * (said === null ? 1 : said[code]!);
        into[from + code] = own === 0 ? 0 : (shares[group]! * own) / allowed[group]!;
      });
    }
  }

  /**
   * The most probable of all rows that fit what is said; of equally probable ones the first code, from the roots to the
   * leaves. Logarithms are added, so nothing underflows, and sums that differ by their rounding alone are not a tie.
   *
   * @param said allows a code where its weight is above 0, whatever the weight
   * @param codes the row, to be filled
   * @returns log P(row), nats; -Infinity where nothing fits
   */
  mostProbableInto(said: readonly Said[], codes: Uint16Array): number {
    const nodes = this.#nodes;
    const best = nodes.map(({ groups }) => new Float64Array(groups));
    const below = nodes.map(({ groups }) => new Float64Array(groups));
    let most = 0;
    for (let at = this.ordering.length - 1; at >= 0; at--) {
      const index = this.ordering[at]!;
      const { parent, groups, groupOf, logGiven, logWithin } = nodes[index]!;
      const own = best[index]!.fill(-Infinity);
      logWithin.forEach((nats, code) => {
        const group = groupOf[code]!;
        if (isAllowed(said[index]!, code)) own[group] = Math.max(own[group]!, nats + below[index]![group]!);
      });
      const above = parent < 0 ? null : below[parent]!;
      for (let line = 0; line < (above?.length ?? 1); line++) {
        let nats = -Infinity;
        for (let group = 0; group < groups; group++)
          nats = Math.max(nats, logGiven[line * groups + group]! + own[group]!);
        if (above === null) most += nats;
        else above[line]! += nats;
      }
    }
    for (const index of this.ordering) {
      const { parent, groups, groupOf, logGiven, logWithin } = nodes[index]!;
      const line = parent < 0 ? 0 : groups * nodes[parent]!.groupOf[codes[parent]!]!;
      let greatest = -Infinity;
      codes[index] = 0;
      for (let code = 0; code < logWithin.length; code++) {
        const group = groupOf[code]!;
        const nats = logGiven[line + group]! + (logWithin[code]! + below[index]![group]!);
        if (!(nats > greatest) || !isAllowed(said[index]!, code)) continue;
        greatest = nats;
        codes[index] = code;
      }
    }
    return most;
  }

  /**
   * Entropy in nats of the groups and of the codes within them: of the variables alone, less the parents' mutual
   * information.
   */
  entropy(): number {
    const probabilities = this.#nodes.map(({ within }) => new Float64Array(within.length));
    this.condition(this.#nodes.map(() => null));
    this.marginalsInto(probabilities, new Uint32Array(this.#nodes.length));
    let sum = 0;
    this.#nodes.forEach(({ parent, groups, given, logGiven, logWithin }, index) => {
      const above = parent < 0 ? Float64Array.of(1) : this.#shares[parent]!;
      above.forEach((share, line) => {
        for (let at = line * groups; at < (line + 1) * groups; at++) sum -= share * given[at]! * logGiven[at]!;
      });
      probabilities[index]!.forEach((share, code) => {
        sum -= share * logWithin[code]!;
      });
    });
    return sum;
  }
}

function isAllowed(said: Said, code: number): boolean {
  if (said === null) return true;
  return typeof said === 'number' ? said === code : said[code]! > 0;
}

/** What is known of a variable, as the probability of it given each group. */
function weigh({ said, groupOf, within, belief }: Node): void {
  if (said === null) belief.fill(1);
  else {
    belief.fill(0);
    if (typeof said === 'number') belief[groupOf[said]!] = within[said]!;
    else
      within.forEach((share, code) => {
        belief[groupOf[code]!]! += share * said[code]!;
      });
  }
}

/** How far each code goes with what is said and with a group of the parent, and all together. */
function weighCodes(
  { groupOf, groups, given, below, within, totals, weights }: Node,
  said: ArrayLike<number> | null,
  above: number,
): void {
  const own = weights[above] ?? new Float64Array(within.length);
  const line = groups * above;
  let total = 0;
  for (let code = 0; code < within.length; code++) {
    const group = groupOf[code]!;
    const share = within[code]! * given[line + group]! * below[group]!;
    own[code] = said === null ? share : share * said[code]!;
    total += own[code]!;
  }
  weights[above] = own;
  totals[above] = total;
}

/** Divides by the greatest. @returns its logarithm; where all are 0 they become 1, as if anything could be */
function scale(values: Float64Array): number {
  const greatest = values.reduce((most, value) => Math.max(most, value), 0);
  if (greatest === 0) {
    values.fill(1);
    return -Infinity;
  }
  for (let at = 0; at < values.length; at++) values[at]! /= greatest;
  return log(greatest);
}

/** Keeps values that are about to underflow as their logarithms. */
function takeSmall(values: Float64Array, taken: Float64Array): void {
  values.forEach((value, at) => {
    if (value >= SMALL || value === 0) return;
    taken[at]! += log(value);
    values[at] = 1;
  });
}

/** What was taken out of what the children say, but for a factor of all. @returns the factor's logarithm */
function giveBack({ below, taken }: Node): number {
  if (taken.every((nats) => nats === 0)) return 0;
  for (let group = 0; group < below.length; group++) taken[group]! += log(below[group]!);
  const greatest = greatestOf(taken);
  for (let group = 0; group < below.length; group++) below[group] = exp(taken[group]! - greatest);
  taken.fill(0);
  return greatest;
}

function product(given: Float64Array, from: number, values: Float64Array): number {
  let sum = 0;
  for (let group = 0; group < values.length; group++) sum += given[from + group]! * values[group]!;
  return sum;
}

/** How many groups a variable has. @throws RangeError where it contradicts itself or its parent */
function checkedGroups(variable: ForestVariable, index: number, variables: readonly ForestVariable[]): number {
  checkShares(variable, variable.parent < 0 ? 1 : groupsOf(variables[variable.parent]!), index);
  return groupsOf(variable);
}

/**
 * @param lines of `given`
 * @throws RangeError where a variable's sizes or shares contradict each other
 */
export function checkShares(
  { groupOf, within, given }: Pick<ForestVariable, 'groupOf' | 'within' | 'given'>,
  lines: number,
  index: number,
): void {
  const groups = groupsOf({ groupOf });
  const refuse = (what: string): never => {
    throw new RangeError(`variable ${String(index)}: ${what}`);
  };
  if (within.length !== groupOf.length || given.length !== lines * groups) refuse('sizes that do not fit its groups');
  const sums = new Float64Array(groups);
  within.forEach((share, code) => {
    sums[groupOf[code]!]! += share;
  });
  const ofLines = Array.from({ length: lines }, (_, line) => sumOf(given.subarray(line * groups, (line + 1) * groups)));
  if (![...sums, ...ofLines].every((sum) => Math.abs(sum - 1) < 1e-9)) refuse('shares that do not sum to 1');
  if (![within, given].every((shares) => shares.every((share) => share > 0))) refuse('a share that is not above 0');
}

/** Groups of a variable: those up to the last that a code is in. */
export function groupsOf({ groupOf }: Pick<ForestVariable, 'groupOf'>): number {
  return groupOf.reduce((most, group) => Math.max(most, group), 0) + 1;
}

/** Parents before children, roots in their order. @throws RangeError where that cannot be */
function orderOf(variables: readonly ForestVariable[]): Uint32Array {
  const children: number[][] = variables.map(() => []);
  const order: number[] = [];
  variables.forEach(({ parent }, index) => {
    if (parent < 0) order.push(index);
    else if (parent >= variables.length)
      throw new RangeError(`the parent of ${String(index)} is ${String(parent)}, of ${String(variables.length)}`);
    else children[parent]!.push(index);
  });
  // the list grows while it is read: children follow their parents
  for (const index of order) {
    for (const child of children[index]!) order.push(child);
  }
  if (order.length < variables.length) throw new RangeError('parents go round in a circle');
  return Uint32Array.from(order);
}
