import { codeCount, valueCount, type BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { blanksOf, checkSeed, checkWhole, type Blanks } from '../port/arguments.js';
import type { BinaryMatrix } from '../port/binary-matrix.js';
import { exactCompletion, type CompleteOptions, type Completion } from '../port/completion.js';
import type { MostProbable } from '../port/density-model.js';
import { CodedTableModel, type CodeConditionals } from './coded-table-model.js';
import { blankWeights, drawnWeights, filledWeights, type BlanksAs } from './evidence.js';
import { missingForAReason } from './missing-for-a-reason.js';
import type { CodeDistributions, ExactOfTable, TableCompletionOptions } from './tabular-model.js';

/** What is known of a variable: its code, how far each code is allowed, or nothing. */
export type SaidOfCode = number | ArrayLike<number> | null;

/** Tells everything of one row of codes at a time, exactly, whatever of it is known. */
export interface CodeDistribution extends CodeConditionals {
  /** Takes what is said of each variable, for what is asked next. @returns log of its probability, nats */
  condition(said: readonly SaidOfCode[]): number;
  /**
   * Draws a row of those that fit it.
   *
   * @param uniform the next number in [0, 1): as many are taken of every row, whatever is known
   */
  drawInto(codes: Uint16Array, uniform: () => number): void;
  /** P(code | what was said) of each variable: to `probabilities[variable][offsets[variable] + code]`. */
  marginalsInto(probabilities: readonly Float64Array[], offsets: ArrayLike<number>): void;
}

/** One that finds the best of all rows too. */
export interface SearchableCodes extends CodeDistribution {
  /** Fills in the most probable of the rows that fit what is said. @returns its log P, nats */
  mostProbableInto(said: readonly SaidOfCode[], codes: Uint16Array): number;
}

/** A model of a table that answers exactly for single rows, without sampling. */
export abstract class RowTableModel extends CodedTableModel implements ExactOfTable {
  protected abstract override readonly distribution: CodeDistribution;

  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = this.emptyRows(count);
    const codes = new Uint16Array(this.variables);
    this.distribution.condition(this.table.variables.map((variable) => unlessAll(drawnWeights(variable))));
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      this.distribution.drawInto(codes, () => stream.uniform());
      this.write(codes, matrix, row);
    }
    return matrix;
  }

  /** Exact, from one candidate a row, whatever `samples` says. */
  complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion {
    return this.completions(values, known, { samples: 1, ...options, draws: 1 })[0]!;
  }

  /**
   * Exact draws of values for what is unknown, given what is known; `logEvidence` sums over missing values too, as
   * anything may be there.
   */
  completions(
    values: BinaryMatrix,
    known: BinaryMatrix,
    { seed, samples, draws, given, blanksAs = 'values', firstRow = 0 }: TableCompletionOptions,
  ): readonly Completion[] {
    checkSeed(seed);
    checkWhole('samples', samples, 1, 2 ** 32 - 1);
    const blanks = blanksOf(values, known, this);
    const { rows } = blanks.matrix;
    const empty = this.emptyRows(rows);
    const matrices = Array.from({ length: draws }, () => empty.copy());
    const drawn = new Uint16Array(this.variables);
    const logEvidence = this.#conditionEach(blanks, blanksAs, given, (row) => {
      const stream = new RandomStream(seed, Purpose.complete, firstRow + row);
      for (const matrix of matrices) {
        this.distribution.drawInto(drawn, () => stream.uniform());
        this.write(drawn, matrix, row);
      }
    });
    return matrices.map((matrix) => exactCompletion(matrix, logEvidence));
  }

  distributions(values: BinaryMatrix, known: BinaryMatrix): CodeDistributions {
    const blanks = blanksOf(values, known, this);
    const sizes = this.table.variables.map(codeCount);
    const probabilities = sizes.map((size) => new Float64Array(blanks.matrix.rows * size));
    const logEvidence = this.#conditionEach(blanks, missingForAReason(this), undefined, (row) => {
      const places = sizes.map((size) => row * size);
      this.distribution.marginalsInto(probabilities, places);
      this.table.variables.forEach((variable, index) => {
        if (blanks.known.get(row, this.offsets[index]!) === 1) return;
        const own = probabilities[index]!.subarray(places[index], places[index]! + sizes[index]!);
        const weights = filledWeights(variable);
        const sum = own.reduce((all, share, code) => all + share * weights[code]!, 0);
        // what is missing for certain may have any value
        own.forEach((share, code) => {
          own[code] = sum > 0 ? (share * weights[code]!) / sum : weights[code]! / valueCount(variable);
        });
      });
    });
    return { probabilities, logEvidence };
  }

  /**
   * Conditions on what is known of each row, and on what its blanks are.
   *
   * @returns log P(known values)
   */
  #conditionEach(
    { matrix, known }: Blanks,
    blanksAs: BlanksAs,
    given: TableCompletionOptions['given'],
    ask: (row: number) => void,
  ): Float64Array {
    const { variables } = this.table;
    const blank = variables.map((variable, index) => unlessAll(blankWeights(variable, index, blanksAs)));
    const logEvidence = new Float64Array(matrix.rows);
    this.visit(matrix, (codes, row) => {
      const said = variables.map((_, index): SaidOfCode => {
        if (known.get(row, this.offsets[index]!) === 1) return codes[index]!;
        return given?.get(index)?.weights ?? null;
      });
      logEvidence[row] = this.distribution.condition(said);
      if (said.some((what, index) => what === null && blank[index] !== null))
        this.distribution.condition(said.map((what, index) => what ?? blank[index]!));
      ask(row);
    });
    return logEvidence;
  }
}

/** Such a model that finds the most probable rows too. */
export abstract class ExactTableModel extends RowTableModel implements MostProbable {
  protected abstract override readonly distribution: SearchableCodes;

  /**
   * The most probable codes together, blanks being values, and log P of the row's codes; bins count by their mass,
   * however wide they are.
   */
  mostProbable(values: BinaryMatrix, known: BinaryMatrix): { matrix: BitMatrix; logLikelihood: Float64Array } {
    const blanks = blanksOf(values, known, this);
    const filled = this.table.variables.map(filledWeights);
    const matrix = this.emptyRows(blanks.matrix.rows);
    const logLikelihood = new Float64Array(matrix.rows);
    const found = new Uint16Array(this.variables);
    this.visit(blanks.matrix, (codes, row) => {
      const said = filled.map((weights, index) =>
        blanks.known.get(row, this.offsets[index]!) === 1 ? codes[index]! : weights,
      );
      logLikelihood[row] = this.distribution.mostProbableInto(said, found);
      this.write(found, matrix, row);
    });
    return { matrix, logLikelihood };
  }
}

/** Null where all codes are allowed. */
function unlessAll(weights: Float64Array): Float64Array | null {
  return weights.every((weight) => weight === 1) ? null : weights;
}
