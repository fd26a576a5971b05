import { climbNetwork, withoutParent, withParent, type NetworkSize } from './climb-network.js';
import { CodeNetwork, stridesOf } from './code-network.js';
import { leftOutNats, type GroupedRows, type RowWeights } from './grouped-rows.js';

/** Cells of a table at most: few rows would be in each of more. */
const MOST_CELLS = 65_536;
/** A change gains more than this, as a share of the rows' weight: reversals may gain what rounding does. */
const LEAST_GAIN = 1e-9;

export interface CodeNetworkOptions extends NetworkSize {
  /** Rows of all training rows together that are added, spread over the lines of each table. */
  readonly pseudoCount: number;
}

/** A network of a table's variables and what its edges tell. */
export interface LearntCodeNetwork {
  readonly network: CodeNetwork;
  /**
   * Of each edge, variable after variable, what it tells beside the others of its variable, nats per row, of rows that
   * are left out; none negative.
   */
  readonly information: Float64Array;
}

/**
 * Bayesian networks of decision tables over the groups of a table's codes, of the same rows under other and other
 * weights: greedy hill climbing (`climbNetwork`) by the weighted likelihood of rows that are left out of the tables.
 *
 * O(V rows) for each column whose parents change.
 */
export class CodeNetworkLearner {
  readonly #gains: Float64Array;

  constructor(
    private readonly rows: GroupedRows,
    private readonly options: CodeNetworkOptions,
  ) {
    this.#gains = new Float64Array(rows.variables.length ** 2);
  }

  /** @param weights of each distinct row, none negative */
  learn(weights: Float64Array): LearntCodeNetwork {
    const { rows, options } = this;
    const { variables } = rows;
    const weighed = rows.weigh(weights);
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const lossOf = (column: number, parent: number, others: Uint32Array): number =>
      this.#natsOf(column, withParent(others, parent), weighed) - this.#natsOf(column, others, weighed);
    const parents = climbNetwork(variables.length, options, LEAST_GAIN * all, {
      gains: this.#gains,
      renew: (column, own) => {
        this.#renewGains(column, own, weighed);
      },
      lossOf,
    });
    const information = parents.flatMap((own, column) =>
      Array.from(own, (parent) => Math.max(0, lossOf(column, parent, withoutParent(own, parent)) / all)),
    );
    const network = new CodeNetwork(
      variables.map(({ groupOf }, index) => {
        const own = parents[index]!;
        return {
          parents: own,
          groupOf,
          within: rows.sharesWithin(index, weighed, options.pseudoCount),
          given: rows.tableOf(index, this.#linesOf(own), this.#countLines(own), weighed, options.pseudoCount),
        };
      }),
    );
    return { network, information: Float64Array.from(information) };
  }

  #renewGains(column: number, parents: Uint32Array, weighed: RowWeights): void {
    const { variables } = this.rows;
    const { ofRows, groups } = variables[column]!;
    const lines = this.#countLines(parents);
    // the cell of each row without another parent
    const cellOf = this.#linesOf(parents).map((line, row) => line * groups + ofRows[row]!);
    const before = this.#natsOf(column, parents, weighed);
    variables.forEach((other, index) => {
      const isOpen = index !== column && !parents.includes(index) && lines * groups * other.groups <= MOST_CELLS;
      this.#gains[column * variables.length + index] = isOpen
        ? this.#natsOfCells(column, lines, cellOf, weighed, other) - before
        : 0;
    });
  }

  #natsOf(column: number, parents: Uint32Array, weighed: RowWeights): number {
    const { ofRows, groups } = this.rows.variables[column]!;
    const cellOf = this.#linesOf(parents).map((line, row) => line * groups + ofRows[row]!);
    return this.#natsOfCells(column, this.#countLines(parents), cellOf, weighed, null);
  }

  /**
   * @param lines of the table, by `cellOf`
   * @param other by which each line is divided once more
   */
  #natsOfCells(
    column: number,
    lines: number,
    cellOf: Uint32Array,
    { weights, squares }: RowWeights,
    other: { readonly ofRows: Uint16Array; readonly groups: number } | null,
  ): number {
    const { groups, margin } = this.rows.variables[column]!;
    const stride = lines * groups;
    const all = lines * (other?.groups ?? 1);
    const cells = { weights: new Float64Array(all * groups), squares: new Float64Array(all * groups) };
    for (let row = 0; row < cellOf.length; row++) {
      const cell = cellOf[row]! + (other === null ? 0 : other.ofRows[row]! * stride);
      cells.weights[cell]! += weights[row]!;
      cells.squares[cell]! += squares[row]!;
    }
    return leftOutNats({ ...cells, lines: all, strides: [groups, 1] }, margin, this.options.pseudoCount);
  }

  #countLines(parents: Uint32Array): number {
    return parents.reduce((product, parent) => product * this.rows.variables[parent]!.groups, 1);
  }

  /** The line of a table of these parents that each row is in. */
  #linesOf(parents: Uint32Array): Uint32Array {
    const { variables, rows } = this.rows;
    const strides = stridesOf(
      parents,
      variables.map(({ groups }) => groups),
    );
    const lines = new Uint32Array(rows.counts.length);
    parents.forEach((parent, at) => {
      const { ofRows } = variables[parent]!;
      for (let row = 0; row < lines.length; row++) lines[row]! += strides[at]! * ofRows[row]!;
    });
    return lines;
  }
}
