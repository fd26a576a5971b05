import type { CodeConditionals } from '@orchard/model';
import { log } from '@orchard/numerics';
import { checkShares, groupsOf } from '../code-forest.js';
import { parentsFirst } from './parents-first.js';

/** A variable of codes and the table that it is predicted by. */
export interface NetworkVariable {
  /** Ascending. */
  readonly parents: Uint32Array;
  /** The group of each code, 0 to one less than there are. */
  readonly groupOf: Uint16Array;
  /** P(code | its group). */
  readonly within: Float64Array;
  /** P(group | the parents' groups): element `line * groups + group`. In the line the first parent's group counts 1. */
  readonly given: Float64Array;
}

/** What each group of a parent counts in the line of a table: of the first 1, of the next as many as it has groups. */
export function stridesOf(parents: Uint32Array, groups: ArrayLike<number>): Uint32Array {
  const strides = new Uint32Array(parents.length);
  let lines = 1;
  parents.forEach((parent, at) => {
    strides[at] = lines;
    lines *= groups[parent]!;
  });
  return strides;
}

/**
 * A Bayesian network over variables of codes, each code in a group: P(x) = ∏ P(g_v | groups of the parents) P(x_v |
 * g_v), the former by tables.
 */
export class CodeNetwork implements CodeConditionals {
  /** Parents before their children, else ascending. */
  readonly ordering: Uint32Array;
  readonly #groups: Uint32Array;
  readonly #strides: readonly Uint32Array[];

  /** @throws RangeError where parents, groups or sizes contradict each other, or shares do not sum to one */
  constructor(readonly variables: readonly NetworkVariable[]) {
    this.#groups = Uint32Array.from(variables, groupsOf);
    variables.forEach(({ parents }, index) => {
      const isAscending = parents.every(
        (parent, at) => parent < variables.length && (at === 0 || parent > parents[at - 1]!),
      );
      if (!isAscending) throw new RangeError(`the parents of variable ${String(index)}`);
    });
    this.ordering = parentsFirst(variables.map(({ parents }) => parents));
    this.#strides = variables.map(({ parents }) => stridesOf(parents, this.#groups));
    variables.forEach((variable, index) => {
      const lines = variable.parents.reduce((product, parent) => product * this.#groups[parent]!, 1);
      checkShares(variable, lines, index);
    });
  }

  addCells(columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    for (let index = 0; index < columns.length; index++) this.#addCellsOf(index, columns, cells, are);
  }

  #addCellsOf(index: number, columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    const { groupOf, within, given } = this.variables[index]!;
    const groups = this.#groups[index]!;
    const [logWithin, logGiven] = [within.map((share) => log(share)), given.map((share) => log(share))];
    const codes = columns[index]!;
    const lines = this.#linesOf(index, columns);
    const step = are === 'sums' ? 1 : columns.length;
    for (let row = 0, at = are === 'sums' ? 0 : index; row < codes.length; row++, at += step) {
      const code = codes[row]!;
      cells[at]! += logGiven[lines[row]! * groups + groupOf[code]!]! + logWithin[code]!;
    }
  }

  distributionInto(index: number, codes: ArrayLike<number>, probabilities: Float64Array, offset: number): void {
    const { parents, groupOf, within, given } = this.variables[index]!;
    const strides = this.#strides[index]!;
    let line = 0;
    parents.forEach((parent, at) => {
      line += strides[at]! * this.variables[parent]!.groupOf[codes[parent]!]!;
    });
    const start = line * this.#groups[index]!;
    within.forEach((share, code) => {
      probabilities[offset + code] = share * given[start + groupOf[code]!]!;
    });
  }

  /** The line of a variable's table that each row is in. */
  #linesOf(index: number, columns: readonly Uint16Array[]): Uint32Array {
    const lines = new Uint32Array(columns[index]!.length);
    this.variables[index]!.parents.forEach((parent, at) => {
      const stride = this.#strides[index]![at]!;
      const { groupOf } = this.variables[parent]!;
      const codes = columns[parent]!;
      for (let row = 0; row < lines.length; row++) lines[row]! += stride * groupOf[codes[row]!]!;
    });
    return lines;
  }
}
