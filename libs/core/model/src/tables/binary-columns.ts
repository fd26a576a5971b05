import type { Table } from '@orchard/contracts';
import { nameOfDimension, BitMatrix, codeOffsets } from '@orchard/dataset';
import { oncePer, seedBehind } from '@orchard/numerics';
import { ModelError } from '../errors.js';
import { asBitMatrix, type BinaryMatrix } from '../port/binary-matrix.js';
import type { CompleteOptions, Completion } from '../port/completion.js';
import {
  isBound,
  isExact,
  isExplained,
  isMostProbable,
  isOrdered,
  type DensityModel,
  type Exact,
  type ModelSummary,
  type MostProbable,
} from '../port/density-model.js';
import type { NumberedSampler } from '../port/row-sampler.js';
import type { Score } from '../port/score.js';
import { valueRates } from '../port/value-rates.js';
import type { CodeDistributions, TableCompletionOptions, TabularModel } from './tabular-model.js';

// shared by all columns, of which there may be 262,144
const LABELS = ['0', '1'] as const;
const SEEN_ONCE = [1, 1] as const;

export function isTabular(model: DensityModel): model is TabularModel {
  return model.table !== undefined && 'cellLogLikelihoods' in model;
}

/**
 * Any model as that of a table: one of rows of 0 and 1 as of a table whose columns are all binary, so that whatever is
 * asked of tables may be asked of it. Codes are bits, so that rows and answers stay what they are.
 */
export function asTabular(model: DensityModel): TabularModel {
  return isTabular(model) ? model : binaryColumnsOf(model);
}

/**
 * The same, for questions about cells.
 *
 * @param where they were asked
 * @throws ModelError `invalid-argument` for a model whose likelihoods are bounds: it has no probabilities of cells, and
 *   sums out nothing
 */
export function askedAsTable(model: DensityModel, where: string): TabularModel {
  if (!isBound(model)) return asTabular(model);
  throw new ModelError('invalid-argument', {
    got: `a model of the family ${model.family}, whose likelihoods are lower bounds`,
    expected: 'a model that knows the probability of each value',
    where,
    remedy: 'Train another kind of model: orchard compare-models says what each can answer.',
  });
}

const binaryColumnsOf = oncePer((model: DensityModel) =>
  isExact(model) ? new ExactBinaryColumns(model) : new BinaryColumns(model),
);

/**
 * As {@link asTabular}, beside the rows that trained a model: its columns know how often they had each value.
 *
 * @param columns what they are called, where that is not their names in the model
 */
export function besideTrainingRows(model: DensityModel, train: BitMatrix, columns?: readonly string[]): TabularModel {
  if (isTabular(model)) return model;
  const ones = train.columnCounts();
  const table = tableOfBits({ dimensions: model.dimensions, names: columns ?? model.names }, (index) => [
    train.rows - ones[index]!,
    ones[index]!,
  ]);
  return isExact(model) ? new ExactBinaryColumns(model, table) : new BinaryColumns(model, table);
}

/**
 * The table of rows of 0 and 1.
 *
 * @param countsOf how often training had each value of a column: it is in no file of such a model
 * @default both count as seen once
 */
export function tableOfBits(
  { dimensions, names }: Pick<DensityModel, 'dimensions' | 'names'>,
  countsOf: (index: number) => readonly [zeros: number, ones: number] = () => SEEN_ONCE,
): Table {
  const columns = Array.from({ length: dimensions }, (_, index) => nameOfDimension(index, names));
  return {
    variables: columns.map((name, index) => ({
      kind: 'binary',
      name,
      holes: 0,
      labels: LABELS,
      counts: countsOf(index),
    })),
    leftOut: [],
    columns,
    missing: '',
  };
}

class BinaryColumns<Model extends DensityModel = DensityModel> implements TabularModel {
  readonly family: string;
  readonly dimensions: number;
  readonly names = null;
  readonly shape = null;
  readonly particles = 256;
  readonly specification: DensityModel['specification'];
  readonly likelihoods: DensityModel['likelihoods'];
  readonly likelihoodIs?: 'lower bound';
  readonly table: Table;
  readonly variables: number;
  readonly offsets: Uint32Array;
  readonly ordering: Uint32Array | null;
  readonly looksAtBits: boolean;
  /** Of models that find it. */
  declare readonly mostProbable?: MostProbable['mostProbable'];

  constructor(
    readonly ofBits: Model,
    table: Table = tableOfBits(ofBits),
  ) {
    const { family, dimensions, specification, likelihoods, likelihoodIs } = ofBits;
    this.family = family;
    this.dimensions = dimensions;
    this.specification = specification;
    this.likelihoods = likelihoods;
    if (likelihoodIs !== undefined) this.likelihoodIs = likelihoodIs;
    this.table = table;
    this.variables = dimensions;
    this.offsets = codeOffsets(this.table);
    this.ordering = isOrdered(ofBits) ? ofBits.ordering : null;
    this.looksAtBits = this.ordering !== null;
    if (isMostProbable(ofBits)) this.mostProbable = (values, bits) => ofBits.mostProbable(values, bits);
  }

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    return this.ofBits.logLikelihood(matrix);
  }

  score(matrix: BinaryMatrix, options?: { readonly top?: number }): Score {
    return this.ofBits.score(matrix, options);
  }

  cellLogLikelihoods(matrix: BinaryMatrix): Float64Array {
    return this.ofBits.score(matrix, { top: 0 }).surprise.map((nats) => -nats);
  }

  distributionOf(index: number, given: BinaryMatrix): Float64Array {
    const matrix = asBitMatrix(given, this.dimensions);
    return this.#sharesOf(index, matrix.rows, valueRates(this.ofBits, matrix));
  }

  *distributionsInTurn(
    given: BinaryMatrix,
    of: Iterable<number> = this.table.variables.keys(),
  ): Generator<Float64Array, void> {
    const matrix = asBitMatrix(given, this.dimensions);
    const rates = valueRates(this.ofBits, matrix);
    for (const index of of) yield this.#sharesOf(index, matrix.rows, rates);
  }

  #sharesOf(index: number, rows: number, rates: Float64Array): Float64Array {
    const shares = new Float64Array(2 * rows);
    for (let row = 0; row < rows; row++) {
      const rate = rates[row * this.variables + index]!;
      shares[2 * row] = 1 - rate;
      shares[2 * row + 1] = rate;
    }
    return shares;
  }

  sample(count: number, seed: number): BitMatrix {
    return this.ofBits.sample(count, seed);
  }

  sampler(seed: number): NumberedSampler {
    return this.ofBits.sampler(seed);
  }

  complete(values: BinaryMatrix, bits: BinaryMatrix, options: CompleteOptions): Completion {
    return this.ofBits.complete(values, bits, options);
  }

  /** Completion d is the one of seed + d. What is given of a column is one of its two values, or both. */
  completions(values: BinaryMatrix, bits: BinaryMatrix, options: TableCompletionOptions): readonly Completion[] {
    const { seed, samples, draws, given = new Map(), firstRow = 0 } = options;
    const [filled, known] = [values, bits].map((own) => {
      const matrix = asBitMatrix(own, this.dimensions);
      return matrix.selectRows(Uint32Array.from({ length: matrix.rows }, (_, row) => row));
    }) as [BitMatrix, BitMatrix];
    for (const [index, { weights }] of given) {
      if (weights[0]! > 0 && weights[1]! > 0) continue;
      for (let row = 0; row < filled.rows; row++) {
        if (known.get(row, index) === 1) continue;
        filled.set(row, index, weights[1]! > 0 ? 1 : 0);
        known.set(row, index, 1);
      }
    }
    return Array.from({ length: draws }, (_, draw) =>
      this.ofBits.complete(filled, known, { seed: seedBehind(seed, draw), samples, firstRow }),
    );
  }

  codeOf(matrix: BitMatrix, row: number, index: number): number {
    return matrix.get(row, index);
  }

  emptyRows(count: number): BitMatrix {
    const { dimensions, names, shape } = this.ofBits;
    return BitMatrix.create(count, dimensions, { names, shape });
  }

  importanceOf(index: number): Float64Array {
    return isExplained(this.ofBits) ? this.ofBits.importanceOf(index) : new Float64Array(this.variables);
  }

  irrelevantVariables(): Uint32Array {
    return isExplained(this.ofBits) ? this.ofBits.irrelevantVariables() : new Uint32Array(0);
  }

  summary(): ModelSummary {
    return this.ofBits.summary();
  }

  toBytes(): Uint8Array {
    return this.ofBits.toBytes();
  }
}

class ExactBinaryColumns extends BinaryColumns<DensityModel & Exact> {
  distributions(values: BinaryMatrix, bits: BinaryMatrix): CodeDistributions {
    const { rates, logEvidence } = this.ofBits.marginals(values, bits);
    const { variables } = this;
    const probabilities = Array.from({ length: variables }, (_, index) => {
      const shares = new Float64Array(2 * logEvidence.length);
      for (let row = 0; row < logEvidence.length; row++) {
        const rate = rates[row * variables + index]!;
        shares[2 * row] = 1 - rate;
        shares[2 * row + 1] = rate;
      }
      return shares;
    });
    return { probabilities, logEvidence };
  }
}
