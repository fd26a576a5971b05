import type { Table } from '@orchard/contracts';
import {
  codeCount,
  codesInRows,
  decisionTreeOf,
  predictorOffsets,
  tableFields,
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
const known = new WeakMap<ArrayLike<number>, Layout>();

function layoutOf({ table, ordering }: VariablePlace): Layout {
  const found = known.get(ordering);
  if (found?.table === table) return found;
  const variables = Array.from(ordering, (index) => table.variables[index]!);
  const layout = { table, fields: tableFields(table, ordering), predictors: predictorOffsets({ variables }) };
  known.set(ordering, layout);
  return layout;
}

/**
 * The decisions of a variable on arranged rows, which are fields of its table in that ordering. The labels of all rows
 * are made when a decision is asked for: hundreds of decisions have millions of rows each.
 */
export class Decisions {
  /** What each of them may look at: the first so many predictors. */
  readonly predictors: number;
  /** Of each row. */
  readonly #codes: Uint16Array;
  /** Of each decision, by code. */
  readonly #outcomes: readonly ArrayLike<number>[];
  /** Rows by split and code. */
  readonly #rowsOfCode: readonly Uint32Array[];

  constructor(data: TrainingData, place: VariablePlace) {
    const { fields, predictors } = layoutOf(place);
    const variable = place.table.variables[place.ordering[place.position]!]!;
    this.predictors = predictors[place.position]!;
    this.#codes = codesInRows(fields, place.position, { rows: data.rowCount, bytes: data.rows });
    this.#outcomes = outcomesByCode(decisionTreeOf(variable), codeCount(variable));
    this.#rowsOfCode = [0, 1, 2].map(() => new Uint32Array(codeCount(variable)));
    for (let row = 0; row < data.rowCount; row++) this.#rowsOfCode[data.splitOf(row)]![this.#codes[row]!]!++;
  }

  get count(): number {
    return this.#outcomes.length;
  }

  target(decision: number): Decision {
    const codes = this.#codes;
    const outcomes = this.#outcomes[decision]!;
    const labels = new Uint8Array(codes.length);
    for (let row = 0; row < labels.length; row++) labels[row] = outcomes[codes[row]!]!;
    return { predictors: this.predictors, labels };
  }

  /** Rows of each split by what a decision makes of them: element `4 * split + label`, as `TrainingData` has them. */
  counts(decision: number): Uint32Array {
    const outcomes = this.#outcomes[decision]!;
    const counts = new Uint32Array(12);
    this.#rowsOfCode.forEach((rows, split) =>
      rows.forEach((count, code) => (counts[4 * split + outcomes[code]!]! += count)),
    );
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
