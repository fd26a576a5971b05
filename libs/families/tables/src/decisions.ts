import type { Table } from '@orchard/contracts';
import {
  codeCount,
  codesInRows,
  decisionTreeOf,
  predictorOffsets,
  tableFields,
  type DecisionTree,
  type TableFields,
} from '@orchard/dataset';
import { UNREACHED, type Decision, type TrainingData } from '@orchard/kernel';
import { outcomesByCode } from './conditional.js';

/** Which variable: its position in an ordering of a table's. */
export interface VariablePlace {
  readonly table: Table;
  readonly ordering: ArrayLike<number>;
  readonly position: number;
}

interface Layout {
  readonly table: Table;
  readonly fields: TableFields;
  /** By position. */
  readonly predictors: Uint32Array;
}

/** By ordering: each of a table's thousands of tasks asks for the same. */
const layouts = new WeakMap<ArrayLike<number>, Layout>();

/** The fields of a table's rows in that ordering. */
export function fieldsOf(place: VariablePlace): TableFields {
  return layoutOf(place).fields;
}

function layoutOf({ table, ordering }: VariablePlace): Layout {
  const found = layouts.get(ordering);
  if (found?.table === table) return found;
  const layout = { table, fields: tableFields(table, ordering), predictors: predictorOffsets(table, ordering) };
  layouts.set(ordering, layout);
  return layout;
}

/** Of arranged rows the newest: they go when the rows do. */
const newest = new WeakMap<TrainingData, { readonly place: VariablePlace; readonly decisions: Decisions }>();

/** The decisions of a variable, which its line, its trials and its training ask for one after another. */
export function decisionsOf(data: TrainingData, { table, ordering, position }: VariablePlace): Decisions {
  const found = newest.get(data);
  if (found?.place.table === table && found.place.ordering === ordering && found.place.position === position)
    return found.decisions;
  const place = { table, ordering, position };
  const decisions = new Decisions(data, place);
  newest.set(data, { place, decisions });
  return decisions;
}

/**
 * The decisions of a variable on arranged rows, which are fields of its table in that ordering.
 *
 * All rows lie in one array, and those of a decision side by side. To ask for a decision divides the rows of those that
 * lead to it, each in two, and keeps their order; so all decisions, asked for one after another, cost rows x depth,
 * whatever their number: hundreds of decisions have millions of rows together, but most are reached by few.
 */
export class Decisions {
  /** What each of them may look at: the first so many predictors. */
  readonly predictors: number;
  readonly #tree: DecisionTree;
  /** Of each row. */
  readonly #codes: Uint16Array;
  /** Of each decision, by code. */
  readonly #outcomes: readonly ArrayLike<number>[];
  /** Rows by split and code. */
  readonly #rowsOfCode: readonly Uint32Array[];
  /** Of each decision, once it was asked for. */
  readonly #counts: (Uint32Array | undefined)[] = [];
  /** Of each decision the one that leads to it, which stands before it; -1 of the first. */
  readonly #parents: Int32Array;
  /** Of each decision where its rows begin, once those that lead to it are divided. */
  readonly #starts: Uint32Array;
  readonly #isDivided: Uint8Array;
  /** Rows, those of each decision ascending until it is divided itself; made when one is asked for. */
  #rows: Uint32Array | null = null;

  constructor(data: TrainingData, place: VariablePlace) {
    const { fields, predictors } = layoutOf(place);
    const variable = place.table.variables[place.ordering[place.position]!]!;
    const tree = decisionTreeOf(variable);
    this.predictors = predictors[place.position]!;
    this.#codes = codesInRows(fields, place.position, { rows: data.rowCount, bytes: data.rows });
    this.#outcomes = outcomesByCode(tree, codeCount(variable));
    this.#rowsOfCode = [0, 1, 2].map(() => new Uint32Array(codeCount(variable)));
    for (let row = 0; row < data.rowCount; row++) this.#rowsOfCode[data.splitOf(row)]![this.#codes[row]!]!++;
    this.#starts = new Uint32Array(this.count);
    this.#isDivided = new Uint8Array(this.count);
    this.#parents = new Int32Array(this.count).fill(-1);
    for (const children of [tree.zero, tree.one])
      children.forEach((child, decision) => {
        if (child >= 0) this.#parents[child] = decision;
      });
    this.#tree = tree;
  }

  get count(): number {
    return this.#outcomes.length;
  }

  /** Cheapest where decisions are asked for in their order, each of them once or again before the next. */
  target(decision: number): Decision {
    if (this.#rows === null || this.#isDivided[decision] === 1) this.#putTogether();
    const path: number[] = [];
    for (let at = this.#parents[decision]!; at >= 0 && this.#isDivided[at] === 0; at = this.#parents[at]!)
      path.push(at);
    for (const before of path.reverse()) this.#divide(before);
    const rows = this.#rowsAt(decision).slice();
    const codes = this.#codes;
    const outcomes = this.#outcomes[decision]!;
    const labels = new Uint8Array(rows.length);
    for (let place = 0; place < rows.length; place++) labels[place] = outcomes[codes[rows[place]!]!]!;
    return { predictors: this.predictors, rows, labels };
  }

  /** All rows are the first decision's. */
  #putTogether(): void {
    this.#rows ??= new Uint32Array(this.#codes.length);
    for (let row = 0; row < this.#rows.length; row++) this.#rows[row] = row;
    this.#isDivided.fill(0);
  }

  #rowsAt(decision: number): Uint32Array {
    const start = this.#starts[decision]!;
    return this.#rows!.subarray(start, start + this.rowsOf(decision));
  }

  /** Puts the rows of a decision whose outcome is 1 behind the others; either keep their order. */
  #divide(decision: number): void {
    const rows = this.#rowsAt(decision);
    const codes = this.#codes;
    const outcomes = this.#outcomes[decision]!;
    const ones = new Uint32Array(rows.length);
    let zeros = 0;
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place]!;
      if (outcomes[codes[row]!] === 1) ones[place - zeros] = row;
      else rows[zeros++] = row;
    }
    rows.set(ones.subarray(0, rows.length - zeros), zeros);
    this.#isDivided[decision] = 1;
    const start = this.#starts[decision]!;
    const { zero, one } = this.#tree;
    if (zero[decision]! >= 0) this.#starts[zero[decision]!] = start;
    if (one[decision]! >= 0) this.#starts[one[decision]!] = start + zeros;
  }

  /** Rows of each split by what a decision makes of them: element `4 * split + label`, 2 where it is not reached. */
  counts(decision: number): Uint32Array {
    this.#counts[decision] ??= this.#countRows(this.#outcomes[decision]!);
    return this.#counts[decision];
  }

  /** Loops, since each of hundreds of decisions goes through hundreds of codes. */
  #countRows(outcomes: ArrayLike<number>): Uint32Array {
    const counts = new Uint32Array(12);
    for (let split = 0; split < this.#rowsOfCode.length; split++) {
      const rows = this.#rowsOfCode[split]!;
      for (let code = 0; code < rows.length; code++) counts[4 * split + outcomes[code]!]! += rows[code]!;
    }
    return counts;
  }

  /** Rows of all splits that reach a decision. */
  rowsOf(decision: number): number {
    const counts = this.counts(decision);
    return [0, 1, 4, 5, 8, 9].reduce((sum, at) => sum + counts[at]!, 0);
  }

  /** Rows of a split that reach each decision. */
  reaching(split: number): Uint32Array {
    return Uint32Array.from(this.#outcomes, (outcomes) =>
      this.#rowsOfCode[split]!.reduce((sum, count, code) => sum + (outcomes[code] === UNREACHED ? 0 : count), 0),
    );
  }
}
