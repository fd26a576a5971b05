import type { BitMatrix } from '@orchard/dataset';
import {
  ColumnValues,
  emptyMatrix,
  madeOfBody,
  NumberArray,
  SequentialModel,
  type BodyArrays,
  type ColumnStates,
  type DensityModel,
  type ModelBody,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { log, Purpose, RandomStream, sumOf } from '@orchard/numerics';
import { bayesianNetworkFamily, readBayesianNetworkTable } from '../tables/bayesian-network-table.js';
import { edgesOf, lineOf, orderOf, type DecisionTables } from './decision-tables.js';

/** P(x) = ∏ P(x_d | parents of d): a Bayesian network whose conditionals are tables. */
export class BayesianNetwork extends SequentialModel {
  readonly family = bayesianNetworkFamily;
  /** log P(value | line) of each column: element `2 * line + value`. */
  readonly #logs: readonly Float64Array[];

  /** @throws RangeError where the tables are those of no network */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly tables: DecisionTables,
  ) {
    super(head, orderOf(tables));
    this.#logs = tables.rates.map((rates) =>
      Float64Array.from({ length: 2 * rates.length }, (_, at) =>
        log(at % 2 === 1 ? rates[at >> 1]! : 1 - rates[at >> 1]!),
      ),
    );
  }

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    const { parents, rates } = this.tables;
    const values = new Uint8Array(this.dimensions);
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      for (const column of this.order) {
        values[column] = stream.uniform() < rates[column]![lineOf(parents[column]!, values)]! ? 1 : 0;
        matrix.set(row, column, values[column] === 1);
      }
    }
    return matrix;
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

  protected override visitCells(rows: BitMatrix, visit: (row: number, column: number, nats: number) => void): void {
    const { parents } = this.tables;
    const values = new Uint8Array(this.dimensions);
    for (let row = 0; row < rows.rows; row++) {
      for (let column = 0; column < values.length; column++) values[column] = rows.get(row, column);
      for (let column = 0; column < values.length; column++)
        visit(row, column, this.#logs[column]![2 * lineOf(parents[column]!, values) + values[column]!]!);
    }
  }

  protected override statesOf(): (particles: number) => ColumnStates {
    const { parents, rates } = this.tables;
    const odds = rates.map((own) => own.map((rate) => rate / (1 - rate)));
    return (particles) =>
      new ColumnValues(
        particles,
        this.dimensions,
        (column, values, start) => odds[column]![lineOf(parents[column]!, values, start)]!,
      );
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
      const edges = body.integers('parents', sumOf(counts));
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
