import type { Table } from '@orchard/contracts';
import {
  BitMatrix,
  decisionTreeOf,
  describeSum,
  predictorOffsets,
  setBitsOfPosition,
  sumBitsInOrdering,
  sumsInOrdering,
  writeCode,
  type SumInOrdering,
} from '@orchard/dataset';
import {
  asBitMatrix,
  blanksOf,
  checkSeed,
  checkWhole,
  describeLine,
  drawnWeights,
  HeadedTable,
  knownCodes,
  PARTICLES_OF_TABLES,
  roundedEnsemble,
  scoreCells,
  UniformStreams,
  type BinaryMatrix,
  type BodyArrays,
  type CompleteOptions,
  type Completion,
  type Ensemble,
  type JsonValue,
  type Likelihoods,
  type ModelSummary,
  type Score,
  type TableCompletionOptions,
  type TabularModel,
} from '@orchard/model';
import { Purpose, sumOf } from '@orchard/numerics';
import { count as withCommas, firstAndMore } from '@orchard/refusal';
import { completeTable } from './completion.js';
import { VariableConditional } from './conditional.js';
import { LineOdds, type Line } from './line/line.js';
import { lineFeatures } from './line/line-features.js';
import { lineFigures, type LineGains } from './line/line-figures.js';
import type { KnownRows } from './known-rows.js';
import { ownersOfPredictors, readPositions } from './read-positions.js';
import { RowOdds } from './row-odds.js';
import { tableArrays } from './table-body.js';

export const tablesFamily = 'tables';

/** How many lines a summary names. */
const LINES_SHOWN = 8;

/** Rows whose predictor bits are held at a time. */
const ROWS_AT_A_TIME = 2 ** 12;

export interface TableParts {
  readonly table: Table;
  /** `ordering[position]` is the variable at that position. */
  readonly ordering: Uint32Array;
  /** Of each position, an ensemble a decision. */
  readonly ensembles: readonly (readonly Ensemble[])[];
  /** By position: null where trees start from rates; absent where all do. */
  readonly lines?: readonly (Line | null)[] | null | undefined;
  readonly specification: JsonValue;
  readonly likelihoods: Likelihoods;
}

/**
 * The joint distribution of a table's rows: variable after variable in the ordering, each by the decisions of its tree.
 * Rows are codes (`@orchard/dataset`), likelihoods those of the codes: what a density adds is `logDensityIn` of the
 * values.
 */
export class TableModel extends HeadedTable implements TabularModel {
  readonly family = tablesFamily;
  readonly looksAtBits = true;
  readonly ordering: Uint32Array;
  readonly ensembles: readonly (readonly Ensemble[])[];
  /** By position; null where no variable starts from a line. */
  readonly lines: readonly (Line | null)[] | null;
  /** By position. */
  readonly conditionals: readonly VariableConditional[];
  /** Where the predictor bits of each position begin. */
  readonly predictors: Uint32Array;
  /** By position: sums whose bits stand behind its own. */
  readonly sums: readonly (readonly SumInOrdering[])[];
  /** By position, of its conditional: 1 for each position that it reads. Made when it is asked for. */
  #reads: readonly Uint8Array[] | null = null;

  constructor({ table, ordering, ensembles, lines, specification, likelihoods }: TableParts) {
    super({ table, specification, likelihoods });
    this.ordering = ordering;
    this.ensembles = ensembles;
    this.lines = lines?.some((line) => line !== null) === true ? lines : null;
    const variables = Array.from(ordering, (index) => table.variables[index]!);
    this.predictors = predictorOffsets(table, ordering);
    this.sums = sumsInOrdering(table, ordering);
    const engine = new RowOdds();
    const features = this.lines === null ? null : lineFeatures(variables, sumBitsInOrdering(table, ordering));
    this.conditionals = variables.map((variable, position) => {
      const line = this.lines?.[position] ?? null;
      const odds = line === null ? null : new LineOdds(line, variable, decisionTreeOf(variable), features!);
      return new VariableConditional(variable, ensembles[position]!, engine, odds);
    });
  }

  /** With rounded trees: the file is of version 5. */
  compacted(): TableModel {
    return new TableModel({ ...this, ensembles: this.ensembles.map((own) => own.map(roundedEnsemble)) });
  }

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    this.visit(rows, (_, firstRow, nats) =>
      nats.forEach((value, row) => {
        sums[firstRow + row]! += value;
      }),
    );
    return sums;
  }

  /** log P(code | earlier codes), nats: element `row * V + variable`; 0 of variables that are not asked for. */
  cellLogLikelihoods(matrix: BinaryMatrix, of?: ReadonlySet<number>): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const cells = new Float64Array(rows.rows * this.variables);
    this.visit(
      rows,
      (index, firstRow, nats) =>
        nats.forEach((value, row) => {
          cells[(firstRow + row) * this.variables + index] = value;
        }),
      of,
    );
    return cells;
  }

  /** Columns are variables: `surprise` has V a row. */
  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    return scoreCells(this.cellLogLikelihoods(matrix), this.variables, top, this.ordering);
  }

  /** Conditionals that neither are of what is dealt nor depend on it say of all deals what they say of the first. */
  *scoresOfDeals(deals: readonly BitMatrix[], dealt: number): Generator<Score, void> {
    const dependent = this.dependentOn(dealt);
    let before: Float64Array | null = null;
    for (const deal of deals) {
      const cells = this.cellLogLikelihoods(deal, before === null ? undefined : dependent);
      if (before !== null) {
        for (let index = 0; index < this.variables; index++) {
          if (dependent.has(index)) continue;
          for (let at = index; at < cells.length; at += this.variables) cells[at] = before[at]!;
        }
      }
      before = cells;
      yield scoreCells(cells, this.variables, 0, this.ordering);
    }
  }

  dependentOn(index: number): ReadonlySet<number> {
    const place = this.ordering.indexOf(index);
    const dependent = new Set([index]);
    this.#readsOf().forEach((reads, position) => {
      if (reads[place] === 1) dependent.add(this.ordering[position]!);
    });
    return dependent;
  }

  /** P(code | earlier codes) of one variable in each row: element `row * codes + code`. */
  distributionOf(index: number, matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const position = this.ordering.indexOf(index);
    const conditional = this.conditionals[position]!;
    const needed = this.#readsOf()[position]!;
    const result = new Float64Array(rows.rows * conditional.codes);
    for (let firstRow = 0; firstRow < rows.rows; firstRow += ROWS_AT_A_TIME) {
      const count = Math.min(ROWS_AT_A_TIME, rows.rows - firstRow);
      const known = this.#knownOf(rows, firstRow, count, needed);
      result.set(conditional.distribution(known, inOrder(count)), firstRow * conditional.codes);
    }
    return result;
  }

  /** "(other)" is sampled only where training had more labels than are distinguished. */
  protected override draw(count: number, seed: number, firstOfAll: number): BitMatrix {
    const matrix = this.emptyRows(count);
    const size = Math.min(count, ROWS_AT_A_TIME);
    const streams = new UniformStreams(seed, Purpose.sample, size);
    for (let firstRow = 0; firstRow < count; firstRow += size) {
      const rows = Math.min(size, count - firstRow);
      const known = this.#noneKnown(rows);
      const uniforms = new Float64Array(rows);
      this.conditionals.forEach((conditional, position) => {
        streams.next(firstOfAll + firstRow, position, uniforms);
        const codes = new Uint16Array(rows);
        conditional.draw(known, inOrder(rows), uniforms, drawnWeights(conditional.variable), codes);
        this.#makeKnown(known, position, codes);
        this.#write(position, codes, matrix, firstRow);
      });
    }
    return matrix;
  }

  /** Of a variable all bits are known, or none. By sequential Monte Carlo; exact where what is known comes first. */
  complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion {
    const { samples = PARTICLES_OF_TABLES } = options;
    return this.completions(values, known, { ...options, samples, draws: 1 })[0]!;
  }

  /** Several completions of each row from one pass. */
  completions(values: BinaryMatrix, known: BinaryMatrix, options: TableCompletionOptions): readonly Completion[] {
    checkSeed(options.seed);
    checkWhole('samples', options.samples, 1, 2 ** 20);
    return completeTable(this, blanksOf(values, known, this), options);
  }

  /** Shares of the gain that the splits on each variable have in the decisions of one; by variable. */
  importanceOf(index: number): Float64Array {
    const gains = new Float64Array(this.variables);
    const owners = ownersOfPredictors(this.table, this.ordering, this.sums);
    for (const { splitPredictor, splitGain } of this.ensembles[this.ordering.indexOf(index)]!)
      splitPredictor.forEach((predictor, split) => {
        const own = owners[predictor]!;
        for (const owner of own) gains[owner]! += splitGain[split]! / own.length;
      });
    this.lineOf(index)?.gains.forEach((gain, earlier) => {
      gains[earlier]! += gain;
    });
    const sum = sumOf(gains);
    return sum > 0 ? gains.map((gain) => gain / sum) : gains;
  }

  /** What is to be said of the line that a variable starts from; null where it starts from its rates. */
  lineOf(index: number): LineGains | null {
    const line = this.lines?.[this.ordering.indexOf(index)] ?? null;
    if (line === null) return null;
    const gains = new Float64Array(this.variables);
    line.gains.forEach((gain, position) => {
      gains[this.ordering[position]!]! += gain;
    });
    return { gains, hasProducts: line.pairs.length > 0 };
  }

  irrelevantVariables(): Uint32Array {
    const used = new Uint8Array(this.variables);
    const owners = ownersOfPredictors(this.table, this.ordering, this.sums);
    for (const { splitPredictor } of this.ensembles.flat())
      for (const predictor of splitPredictor) for (const owner of owners[predictor]!) used[owner] = 1;
    for (const line of this.lines ?? [])
      line?.gains.forEach((gain, position) => {
        if (gain > 0) used[this.ordering[position]!] = 1;
      });
    return Uint32Array.from(used.keys()).filter((index) => used[index] === 0);
  }

  summary(): ModelSummary {
    const all = this.ensembles.flat();
    const trees = all.reduce((sum, { leafCounts }) => sum + leafCounts.length, 0);
    const leaves = all.reduce((sum, { leafFactor }) => sum + leafFactor.length, 0);
    return {
      dimensions: this.dimensions,
      facts: [
        ['variables', `${withCommas(this.variables)}, decided by ${withCommas(all.length)} decisions`],
        ['trees', `${withCommas(trees)} of ${withCommas(leaves)} leaves in all`],
        ...this.#lineFacts(),
        ...this.#sumFacts(),
        ...(this.table.leftOut.length === 0
          ? []
          : [['left out', this.table.leftOut.map(({ name, why }) => `${name} (${why})`).join(', ')] as const]),
      ],
    };
  }

  protected body(): BodyArrays {
    return tableArrays(this);
  }

  /**
   * Predictor bits of so many rows, all zero: of a table of one constant number, in which there are none, one that
   * nothing reads.
   */
  emptyBits(count: number): BitMatrix {
    return BitMatrix.create(count, Math.max(1, this.predictors[this.variables]!));
  }

  /**
   * Sets the predictor bits of a position's codes, which are zero before.
   *
   * @param codeAt the code of a row of the bits at an earlier position
   */
  setBits(
    bits: BitMatrix,
    position: number,
    codes: Uint16Array,
    codeAt: (row: number, position: number) => number,
  ): void {
    const variable = this.table.variables[this.ordering[position]!]!;
    setBitsOfPosition(bits, this.predictors[position]!, variable, this.sums[position]!, codes, codeAt);
  }

  /** Writes a position's codes into rows of zeros. */
  #write(position: number, codes: Uint16Array, matrix: BitMatrix, firstRow: number): void {
    const index = this.ordering[position]!;
    const [from, to] = [this.offsets[index]!, this.offsets[index + 1]!];
    codes.forEach((code, row) => {
      writeCode(matrix, firstRow + row, from, to, code);
    });
  }

  /** Calls with log P(code) of the rows from `firstRow` on, variable after variable, rows in pieces. */
  private visit(
    rows: BitMatrix,
    take: (index: number, firstRow: number, nats: Float64Array) => void,
    of?: ReadonlySet<number>,
  ): void {
    const needed = this.#neededBy(of);
    for (let firstRow = 0; firstRow < rows.rows; firstRow += ROWS_AT_A_TIME) {
      const count = Math.min(ROWS_AT_A_TIME, rows.rows - firstRow);
      const known = this.#knownOf(rows, firstRow, count, needed);
      const all = inOrder(count);
      this.conditionals.forEach((conditional, position) => {
        const index = this.ordering[position]!;
        if (of?.has(index) === false) return;
        const nats = new Float64Array(count);
        const own = Uint16Array.from(all, (row) => known.codes[row * this.variables + position]!);
        conditional.logProbabilities(known, own, all, nats);
        take(index, firstRow, nats);
      });
    }
  }

  /** 1 for each position that tells something of these variables: their own, and what they are predicted from. */
  #neededBy(of: ReadonlySet<number> | undefined): Uint8Array {
    const needed = new Uint8Array(this.variables);
    if (of === undefined) return needed.fill(1);
    const readsOf = this.#readsOf();
    this.ordering.forEach((index, position) => {
      if (!of.has(index)) return;
      needed[position] = 1;
      const reads = readsOf[position]!;
      for (let earlier = 0; earlier < position; earlier++) if (reads[earlier] === 1) needed[earlier] = 1;
    });
    return needed;
  }

  /** Some rows of codes, of which the positions that are needed (1) are known. */
  #knownOf(matrix: BitMatrix, firstRow: number, count: number, needed: Uint8Array): KnownRows {
    const rows = matrix.selectRows(Array.from({ length: count }, (_, row) => firstRow + row));
    const known = this.#noneKnown(count);
    needed.forEach((isNeeded, position) => {
      if (isNeeded === 0) return;
      const index = this.ordering[position]!;
      const variable = this.table.variables[index]!;
      this.#makeKnown(known, position, knownCodes(rows, variable, this.offsets[index]!, this.offsets[index + 1]!));
    });
    return known;
  }

  #noneKnown(rows: number): KnownRows {
    const positions = this.variables;
    return { bits: this.emptyBits(rows), codes: new Uint16Array(rows * positions), positions };
  }

  /** @param codes of the position, one a row */
  #makeKnown({ bits, codes: all, positions }: KnownRows, position: number, codes: Uint16Array): void {
    for (let row = 0; row < codes.length; row++) all[row * positions + position] = codes[row]!;
    this.setBits(bits, position, codes, (row, earlier) => all[row * positions + earlier]!);
  }

  /** Which variables start from lines, and on what they lie. */
  #lineFacts(): (readonly [string, string])[] {
    const said = Array.from(this.ordering, (index) => {
      const { line } = lineFigures(this.table, [this.lineOf(index)]);
      return line === undefined ? null : describeLine(this.table.variables[index]!.name, line);
    }).filter((words) => words !== null);
    return said.length === 0 ? [] : [['starts from a line', firstAndMore(said, LINES_SHOWN, String, '; ')]];
  }

  /** Which columns follow two others by a sum. */
  #sumFacts(): (readonly [string, string])[] {
    const { sums = [] } = this.table;
    return sums.length === 0 ? [] : [['sums', sums.map(describeSum).join('; ')]];
  }

  #readsOf(): readonly Uint8Array[] {
    this.#reads ??= readPositions(
      this.conditionals,
      ownersOfPredictors(this.table, this.ordering, this.sums),
      this.ordering,
    );
    return this.#reads;
  }
}

function inOrder(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, index) => index);
}
