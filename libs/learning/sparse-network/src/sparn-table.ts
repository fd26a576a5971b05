import {
  checkWhole,
  madeOfBody,
  NumberArray,
  SequentialTableModel,
  type BodyArrays,
  type CodeConditionals,
  type ModelBody,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { codeCount } from '@orchard/dataset';
import { log, sumOf } from '@orchard/numerics';
import { CodeLaw, type Measure } from './code-law.js';
import { learnedFacts, sequentialAnswers } from './learned-facts.js';
import {
  checkWeights,
  ownersWithoutWeights,
  readWeights,
  weightArrays,
  weightNames,
  weightShares,
  type SparseWeights,
} from './sparse-weights.js';

type Table = NonNullable<ModelHead['table']>;

/** What a network of a table is made of, beside its head. */
export interface SparnTableParts {
  readonly laws: readonly CodeLaw[];
  /** Of each output of each variable, by features of the variables before it. */
  readonly sparse: SparseWeights;
  /** Of each variable's Gaussian; 1 where there is none. */
  readonly deviations: Float64Array;
}

/**
 * P(x) = Π P(x_d | x_1 … x_d-1) of a table's variables: labels and missing values by multi-class logistic regressions,
 * numbers by linear regressions with a Gaussian about them, each on few of the variables before it.
 */
export class SparnTable extends SequentialTableModel {
  readonly family = 'sparn';
  readonly parts: SparnTableParts;
  protected readonly distribution: TableConditionals;

  /** @throws RangeError where the weights are none of such variables */
  constructor(
    head: Pick<ModelHead, 'specification' | 'likelihoods'> & { readonly table: Table },
    parts: SparnTableParts,
  ) {
    super(head);
    this.parts = parts;
    this.distribution = new TableConditionals(parts);
  }

  /** Of the absolute values of a variable's weights. */
  importanceOf(index: number): Float64Array {
    checkWhole('variable', index, 0, this.variables - 1);
    const { distribution } = this;
    const range = [distribution.first(index), distribution.first(index + 1)] as const;
    return weightShares(this.parts.sparse, range, this.variables, (predictor) => distribution.owners[predictor]!);
  }

  irrelevantVariables(): Uint32Array {
    return ownersWithoutWeights(this.parts.sparse, this.variables, (predictor) => this.distribution.owners[predictor]!);
  }

  summary(): ModelSummary {
    return {
      dimensions: this.dimensions,
      facts: [
        ['model', 'a sparse autoregressive network: numbers by linear, labels by logistic regressions'],
        ['weights', `${String(this.parts.sparse.weights.length)} that are not 0`],
        ...learnedFacts(this.specification),
        sequentialAnswers,
      ],
    };
  }

  protected body(): BodyArrays {
    const { laws, sparse, deviations } = this.parts;
    const measures = laws.flatMap(({ measure }) => measure ?? []);
    return {
      ...weightArrays([sparse]),
      deviations: NumberArray.ofFloats([deviations]),
      centres: NumberArray.ofFloats([Float64Array.from(measures, ({ centre }) => centre)]),
      scales: NumberArray.ofFloats([Float64Array.from(measures, ({ scale }) => scale)]),
      numbers: NumberArray.ofFloats(measures.map(({ numbers }) => numbers)),
    };
  }
}

/** What the codes of another variable add to an output. */
interface Addend {
  readonly variable: number;
  readonly byCode: Float64Array;
}

class TableConditionals implements CodeConditionals {
  readonly ordering: Uint32Array;
  /** The variable of each feature. */
  readonly owners: Uint32Array;
  /** The first output of each variable, and the end of all. */
  readonly #firsts: Uint32Array;
  readonly #addends: readonly (readonly Addend[])[];

  constructor(private readonly parts: SparnTableParts) {
    const { laws, sparse, deviations } = parts;
    this.ordering = Uint32Array.from(laws.keys());
    const features = laws.map((law) => law.features());
    this.owners = Uint32Array.from(features.flatMap((own, index) => own.map(() => index)));
    const values = features.flatMap((own) => own.map((feature) => feature.values));
    this.#firsts = new Uint32Array(laws.length + 1);
    laws.forEach(({ outputs }, index) => {
      this.#firsts[index + 1] = this.#firsts[index]! + outputs;
    });
    const ends = new Uint32Array(laws.length + 1);
    features.forEach((own, index) => {
      ends[index + 1] = ends[index]! + own.length;
    });
    const limits = laws.flatMap(({ outputs }, index) => new Array<number>(outputs).fill(ends[index]!));
    if (limits.length !== sparse.intercepts.length) throw new RangeError('other outputs than the variables have');
    if (!deviations.every((deviation) => deviation > 0 && deviation < Infinity))
      throw new RangeError('a deviation that is none');
    checkWeights(sparse, (output) => limits[output]!);
    this.#addends = limits.map((_, output) => {
      const found = new Map<number, Float64Array>();
      for (let at = sparse.starts[output]!; at < sparse.starts[output + 1]!; at++) {
        const predictor = sparse.predictors[at]!;
        const variable = this.owners[predictor]!;
        const byCode = found.get(variable) ?? new Float64Array(values[predictor]!.length);
        values[predictor]!.forEach((value, code) => {
          byCode[code]! += sparse.weights[at]! * value;
        });
        found.set(variable, byCode);
      }
      return Array.from(found, ([variable, byCode]) => ({ variable, byCode }));
    });
  }

  /** Where the weights of a variable begin. */
  first(index: number): number {
    return this.parts.sparse.starts[this.#firsts[index]!]!;
  }

  addCells(columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    for (let index = 0; index < columns.length; index++) this.#addCellsOf(index, columns, cells, are);
  }

  #addCellsOf(index: number, columns: readonly Uint16Array[], cells: Float64Array, are: 'cells' | 'sums'): void {
    const law = this.parts.laws[index]!;
    const deviation = this.parts.deviations[index]!;
    const own = columns[index]!;
    const [stride, offset] = are === 'sums' ? [1, 0] : [columns.length, index];
    for (let row = 0; row < own.length; row++) {
      const outputs = this.#outputs(index, (variable) => columns[variable]![row]!);
      cells[row * stride + offset]! += log(law.probability(outputs, deviation, own[row]!));
    }
  }

  distributionInto(index: number, codes: ArrayLike<number>, probabilities: Float64Array, offset: number): void {
    const outputs = this.#outputs(index, (variable) => codes[variable]!);
    this.parts.laws[index]!.into(outputs, this.parts.deviations[index]!, probabilities, offset);
  }

  #outputs(index: number, codeOf: (variable: number) => number): Float64Array {
    const first = this.#firsts[index]!;
    const outputs = this.parts.sparse.intercepts.slice(first, this.#firsts[index + 1]!);
    for (let at = 0; at < outputs.length; at++)
      for (const { variable, byCode } of this.#addends[first + at]!) outputs[at]! += byCode[codeOf(variable)]!;
    return outputs;
  }
}

/** @throws ModelError where the arrays contradict the table */
export function readSparnTable(head: ModelHead, table: Table, body: ModelBody): SparnTable {
  body.requireOnly([...weightNames(), 'deviations', 'centres', 'scales', 'numbers']);
  const ordered = table.variables.filter(({ kind }) => kind === 'ordered');
  const centres = body.floats('centres', ordered.length);
  const scales = body.floats('scales', ordered.length);
  const sizes = ordered.map(codeCount);
  const numbers = body.floats('numbers', sumOf(sizes));
  let [next, from] = [0, 0];
  const laws = table.variables.map((variable) => {
    if (variable.kind !== 'ordered') return new CodeLaw(variable, null);
    const size = codeCount(variable);
    const measure: Measure = {
      centre: centres[next]!,
      scale: scales[next]!,
      numbers: numbers.slice(from, from + size),
    };
    next++;
    from += size;
    return new CodeLaw(variable, measure);
  });
  const outputs = laws.reduce((sum, law) => sum + law.outputs, 0);
  const [sparse] = readWeights(body, [outputs]);
  const deviations = body.floats('deviations', laws.length);
  return madeOfBody(
    'of each output an intercept, and weights of features before its variable, ascending',
    () => new SparnTable({ ...head, table }, { laws, sparse: sparse!, deviations }),
  );
}
