import type { BitMatrix } from '@orchard/dataset';
import {
  asBitMatrix,
  blanksOf,
  checkSeed,
  checkWhole,
  completeColumns,
  emptyMatrix,
  HeadedModel,
  madeOfBody,
  NumberArray,
  scoreCells,
  type BinaryMatrix,
  type BodyArrays,
  type Completion,
  type CompleteOptions,
  type DensityModel,
  type ModelBody,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
  type Score,
} from '@orchard/model';
import { log, Purpose, RandomStream } from '@orchard/numerics';
import { bayesianNetworkFamily, readBayesianNetworkTable } from '../tables/bayesian-network-table.js';
import { edgesOf, lineOf, orderOf, type DecisionTables } from './decision-tables.js';

/** Candidates a row that a completion may ask for. */
const MOST_SAMPLES = 65_536;

/** P(x) = ∏ P(x_d | parents of d): a Bayesian network whose conditionals are tables. */
export class BayesianNetwork extends HeadedModel implements DensityModel {
  readonly family = bayesianNetworkFamily;
  /** Parents before their children. */
  readonly #order: Uint32Array;
  /** log P(value | line) of each column: element `2 * line + value`. */
  readonly #logs: readonly Float64Array[];

  /** @throws RangeError where the tables are those of no network */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly tables: DecisionTables,
  ) {
    super(head);
    this.#order = orderOf(tables);
    this.#logs = tables.rates.map((rates) =>
      Float64Array.from({ length: 2 * rates.length }, (_, at) =>
        log(at % 2 === 1 ? rates[at >> 1]! : 1 - rates[at >> 1]!),
      ),
    );
  }

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    this.#visitCells(rows, (row, _, nats) => {
      sums[row]! += nats;
    });
    return sums;
  }

  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const rows = asBitMatrix(matrix, this.dimensions);
    const cells = new Float64Array(rows.rows * this.dimensions);
    this.#visitCells(rows, (row, column, nats) => {
      cells[row * this.dimensions + column] = nats;
    });
    return scoreCells(cells, this.dimensions, top);
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    const { parents, rates } = this.tables;
    const values = new Uint8Array(this.dimensions);
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      for (const column of this.#order) {
        values[column] = stream.uniform() < rates[column]![lineOf(parents[column]!, values)]! ? 1 : 0;
        matrix.set(row, column, values[column] === 1);
      }
    }
    return matrix;
  }

  /** Exact where what is known comes first in the network; otherwise by particles. @default samples 256 */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 256, firstRow }: CompleteOptions): Completion {
    checkSeed(seed);
    checkWhole('samples', samples, 1, MOST_SAMPLES);
    const { parents, rates } = this.tables;
    const odds = rates.map((own) => own.map((rate) => rate / (1 - rate)));
    const blanks = blanksOf(values, known, this);
    return completeColumns(blanks, { seed, samples, firstRow }, this.#order, (column, particles, start) => {
      return odds[column]![lineOf(parents[column]!, particles, start)]!;
    });
  }

  summary(): ModelSummary {
    const edges = edgesOf(this.tables);
    const most = this.tables.parents.reduce((high, { length }) => Math.max(high, length), 0);
    return {
      dimensions: this.dimensions,
      facts: [
        ['model', 'a Bayesian network of columns, by tables of their parents'],
        ['edges', `${String(edges)}, at most ${String(most)} parents a column`],
        ['answers', 'exactly: likelihoods, samples, completions where known columns come first; others by particles'],
      ],
    };
  }

  protected body(): BodyArrays {
    const { parents, rates } = this.tables;
    return {
      counts: NumberArray.ofIntegers([Uint32Array.from(parents, ({ length }) => length)]),
      parents: NumberArray.ofIntegers(parents),
      rates: NumberArray.ofFloats(rates),
    };
  }

  #visitCells(rows: BitMatrix, visit: (row: number, column: number, nats: number) => void): void {
    const { parents } = this.tables;
    const values = new Uint8Array(this.dimensions);
    for (let row = 0; row < rows.rows; row++) {
      for (let column = 0; column < values.length; column++) values[column] = rows.get(row, column);
      for (let column = 0; column < values.length; column++)
        visit(row, column, this.#logs[column]![2 * lineOf(parents[column]!, values) + values[column]!]!);
    }
  }
}

/** A Bayesian network, under its name and under the one that files of earlier releases have. */
export const bayesianNetworkCodecs: readonly ModelCodec[] = [bayesianNetworkFamily, 'decision-network'].map(
  (family) => ({ family, read: readBayesianNetwork }),
);

function readBayesianNetwork(head: ModelHead, body: ModelBody): DensityModel {
  if (head.table !== undefined) return readBayesianNetworkTable(head, head.table, body);
  body.requireOnly(['counts', 'parents', 'rates']);
  return madeOfBody(
    'of each column its parents, ascending, without a circle, and a rate for each of their values',
    () => {
      const counts = body.integers('counts', head.dimensions);
      const edges = body.integers(
        'parents',
        counts.reduce((sum, count) => sum + count, 0),
      );
      const cells = body.floats(
        'rates',
        counts.reduce((sum, count) => sum + 2 ** count, 0),
      );
      const [parents, rates]: [Uint32Array[], Float64Array[]] = [[], []];
      let [edge, cell] = [0, 0];
      for (const count of counts) {
        parents.push(Uint32Array.from(edges.subarray(edge, edge + count)));
        rates.push(cells.slice(cell, cell + 2 ** count));
        edge += count;
        cell += 2 ** count;
      }
      return new BayesianNetwork(head, { parents, rates });
    },
  );
}
