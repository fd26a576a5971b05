import type { Table, Variable } from '@orchard/contracts';
import { codeCount, codeOffsets, meanOfCode, trainingCounts } from '@orchard/dataset';
import { sumOf } from '@orchard/numerics';

/** Pseudo-rows, shared out evenly among a variable's codes, so that nothing is impossible. */
const ADDED = 2;

/** Of a lower variance few digits are left, or none. */
const LEAST_VARIANCE = 1e-300;

/**
 * What an expert can say of a variable. The numbers in its cells are one class, in which a code has the probability of
 * a Gaussian between the cell's edges. Every other code is a class by itself: a label, a missing value, "(other)", a
 * number with a mass of its own.
 */
export class CodeClasses {
  readonly codes: number;
  readonly classes: number;
  /** Cells of numbers: the codes before this one. */
  readonly cells: number;
  /** Of each cell the number that its rows count as, in units of the column's. */
  readonly numbers: Float64Array;
  /** Of the training rows, those with a missing value among them: P(class), and mean and variance of their numbers. */
  readonly overall: { readonly shares: Float64Array; readonly mean: number; readonly variance: number };
  /** In the same units. */
  readonly #edges: readonly number[];
  readonly #rows: number;

  constructor(variable: Variable) {
    this.codes = codeCount(variable);
    const isOrdered = variable.kind === 'ordered';
    this.cells = isOrdered ? variable.counts.length : 0;
    this.classes = this.codes - (isOrdered ? this.cells - 1 : 0);
    // of a single cell no Gaussian is asked
    const numbers = Float64Array.from({ length: this.cells }, (_, code) =>
      isOrdered && this.cells > 1 ? meanOfCode(variable, code) : 0,
    );
    const counts = trainingCounts(variable);
    const unit = unitOf(numbers, counts);
    this.#edges = isOrdered ? variable.edges.map((edge) => edge / unit) : [];
    this.numbers = numbers.map((number) => number / unit);
    this.#rows = sumOf(counts);
    const shares = new Float64Array(this.classes);
    counts.forEach((count, code) => {
      shares[this.classOf(code)]! += count / this.#rows;
    });
    this.overall = { shares, ...momentsOf(this.numbers, counts) };
  }

  /** 0 of all cells where there are some. */
  classOf(code: number): number {
    return code < this.cells ? 0 : this.cells > 0 ? code - this.cells + 1 : code;
  }

  /** Where a cell begins; -∞ of the first. */
  from(cell: number): number {
    return cell === 0 ? -Infinity : this.#edges[cell - 1]!;
  }

  /** Where a cell ends; ∞ of the last. */
  to(cell: number): number {
    return this.#edges[cell] ?? Infinity;
  }

  /** Of a share of all codes, what is left of it where pseudo-rows are added. */
  spread(share: number): number {
    return (this.#rows * share + ADDED / this.codes) / (this.#rows + ADDED);
  }

  /** What {@link spread} makes of a change of the share, by that change. */
  get slope(): number {
    return this.#rows / (this.#rows + ADDED);
  }
}

/** What can be said of each variable of a table, and where each has its classes among those of all. */
export class TableClasses {
  readonly variables: readonly CodeClasses[];
  /** Where the classes of each variable begin, and the end of all. */
  readonly firsts: Uint32Array;
  /** Codes of all variables. */
  readonly codes: number;

  constructor(readonly table: Pick<Table, 'variables'>) {
    this.variables = table.variables.map((variable) => new CodeClasses(variable));
    this.firsts = new Uint32Array(this.variables.length + 1);
    this.variables.forEach(({ classes }, index) => {
      this.firsts[index + 1] = this.firsts[index]! + classes;
    });
    this.codes = this.variables.reduce((sum, { codes }) => sum + codes, 0);
  }

  get classes(): number {
    return this.firsts[this.variables.length]!;
  }

  /** Where the codes of each variable are in a row of bits. */
  get offsets(): Uint32Array {
    return codeOffsets(this.table);
  }
}

/** 1; the farthest number where squares of these are no numbers, as beyond 1e150 and within 1e-150. */
function unitOf(numbers: Float64Array, counts: Float64Array): number {
  const farthest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  const { mean, variance } = momentsOf(numbers, counts);
  const squares = numbers.reduce((most, number) => Math.max(most, (number - mean) ** 2), 0);
  return farthest > 0 && !(squares > LEAST_VARIANCE && variance < Infinity) ? farthest : 1;
}

/** Mean and variance of numbers that came so often; 0 and 1 where there are none, and 1 where all are alike. */
function momentsOf(numbers: Float64Array, counts: Float64Array): { readonly mean: number; readonly variance: number } {
  const rows = numbers.reduce((sum, _, code) => sum + counts[code]!, 0);
  if (rows === 0) return { mean: 0, variance: 1 };
  const mean = numbers.reduce((sum, number, code) => sum + counts[code]! * number, 0) / rows;
  const variance = numbers.reduce((sum, number, code) => sum + counts[code]! * (number - mean) ** 2, 0) / rows;
  return { mean, variance: variance > 0 ? variance : 1 };
}
