import type { OrderedVariable, Variable } from '@orchard/contracts';
import {
  codeCount,
  logDensityIn,
  numberOf,
  ownValue,
  readCodes,
  valueCount,
  valuesOf,
  writeCode,
  writeValue,
  type BitMatrix,
  type KnownValues,
  type Texts,
} from '@orchard/dataset';
import { log, Purpose, RandomStream, seedBehind } from '@orchard/numerics';
import { ModelError } from '../errors.js';
import type { Completion } from '../port/completion.js';
import { samplerOf, type NumberedSampler } from '../port/row-sampler.js';
import { drawnWeights, filledWeights } from '../tables/evidence.js';
import type { TabularModel } from '../tables/tabular-model.js';
import type { Cell } from './cell-shares.js';
import { PossibleCodes } from './possible-codes.js';
import type { SequentialOptions } from '../sequential/sequential.js';
import { completeUnderRules, knownCell, type RowsUnderRules } from './ruled-completion.js';
import type { Rule } from './rule.js';

/** Values of cells that overlap are drawn so often until they follow the rules; then among those that do. */
const MOST_DRAWS = 100;

/** What is known of rows whose values are drawn. */
export interface KnownOfRows {
  /** The number of a known cell of a row; NaN where it is drawn. */
  numberAt(row: number, variable: number): number;
  /** Of columns that are often equal. */
  readonly values: KnownValues;
}

const NOTHING_KNOWN: KnownOfRows = { numberAt: () => NaN, values: new Map() };

/** What a model answers under rules, be it one model or a mixture. */
export interface RuledRows {
  /** Rows of codes from which values can follow the rules. */
  sampler(seed: number): NumberedSampler;
  /** What the rules add to log P of each row that follows them, nats. */
  logGains(matrix: BitMatrix): Float64Array;
  /**
   * Rows in words, which follow the rules.
   *
   * @param firstRow the number of the first row
   * @param known what is not drawn
   */
  wordsOf(codes: BitMatrix, seed: number, firstRow: number, known?: KnownOfRows): Texts;
  /** Rows with what is unknown of them drawn so that they follow the rules. */
  completions(rows: RowsUnderRules, options: SequentialOptions): readonly Completion[];
  /** Whether what is known of a row can follow the rules. */
  isPossible(rows: RowsUnderRules, row: number): boolean;
  /** Nats that a row's values have by themselves although they follow from others by a rule. */
  determinedNats(numberOf: (variable: number) => number, codeOf: (variable: number) => number): number;
}

/**
 * A model under rules that hold of every row. Each conditional is weighed by how much of its cells follows the rules
 * given the codes before it, is 0 where no later codes could follow them, and is renormalised: so no sampled row
 * breaks a rule, none comes to a dead end, and the probabilities of all rows of codes are 1 together.
 */
export class RuledModel implements RuledRows {
  readonly #drawn: PossibleCodes;
  /** Of rows that are scored, which may have "(other)" where samples have none. */
  readonly #scored: PossibleCodes;
  /** Of rows that are filled in. */
  readonly #filled: PossibleCodes;
  readonly #ordering: Uint32Array;

  /** @throws ModelError `invalid-argument` for a mixture, ruled member by member, and for rules that contradict */
  constructor(
    private readonly model: TabularModel,
    private readonly rules: readonly Rule[],
  ) {
    if (model.ordering === null)
      throw new ModelError('invalid-argument', {
        got: 'a model without one order of its columns, as mixtures are and chow-liu of rows of 0 and 1',
        expected: 'one model, whose columns are predicted in one order',
        where: 'rules',
        remedy: 'Train it with --model tables on the table itself.',
      });
    this.#ordering = model.ordering;
    this.#drawn = new PossibleCodes(model.table, rules, model.ordering, drawnWeights);
    this.#scored = new PossibleCodes(model.table, rules, model.ordering, everyCode);
    this.#filled = new PossibleCodes(model.table, rules, model.ordering, (variable) =>
      // what is known may be missing
      variable.holes > 0 ? drawnWeights(variable) : filledWeights(variable),
    );
  }

  sampler(seed: number): NumberedSampler {
    return samplerOf((count, firstRow) => this.#draw(count, seed, firstRow));
  }

  #draw(count: number, seed: number, firstRow: number): BitMatrix {
    const { model } = this;
    const matrix = model.emptyRows(count);
    const streams = Array.from({ length: count }, (_, row) => new RandomStream(seed, Purpose.sample, firstRow + row));
    for (const index of this.#ordering) {
      const weights = drawnWeights(model.table.variables[index]!);
      const chances = this.#conditional(index, matrix, weights, this.#drawn);
      const codes = weights.length;
      for (let row = 0; row < count; row++) {
        let left = streams[row]!.uniform();
        let code = 0;
        let last = 0;
        for (; code < codes; code++) {
          const chance = chances[row * codes + code]!;
          if (chance === 0) continue;
          last = code;
          left -= chance;
          if (left < 0) break;
        }
        writeCode(matrix, row, model.offsets[index]!, model.offsets[index + 1]!, Math.min(code, last));
      }
    }
    return matrix;
  }

  /** log P(code | the codes before it) under the rules, nats: element `row * V + variable`; -Infinity breaks one. */
  cellLogLikelihoods(matrix: BitMatrix): Float64Array {
    const { model } = this;
    const { variables, offsets } = model;
    const cells = new Float64Array(matrix.rows * variables);
    for (const index of this.#ordering) {
      const every = everyCode(model.table.variables[index]!);
      const codes = every.length;
      const chances = this.#conditional(index, matrix, every, this.#scored);
      readCodes(matrix, offsets[index]!, offsets[index + 1]!).forEach((code, row) => {
        cells[row * variables + index] = log(chances[row * codes + code]!);
      });
    }
    return cells;
  }

  /**
   * What the rules add to log P of each row that follows them, nats: what they forbid is shared out to what they leave.
   * Of cells that only partly follow, the density of what does is as much higher, and this holds of the values.
   */
  logGains(matrix: BitMatrix): Float64Array {
    const { model } = this;
    const gains = new Float64Array(matrix.rows);
    for (const index of this.#ordering) {
      if (!this.#scored.isBound(index)) continue;
      const codes = codeCount(model.table.variables[index]!);
      const chances = model.distributionOf(index, matrix);
      const before = this.#cellsBefore(index, matrix);
      for (let row = 0; row < matrix.rows; row++) {
        const allowed = this.#scored.weightsOf(index, before(row))!;
        let left = 0;
        for (let code = 0; code < codes; code++) left += allowed[code]! * chances[row * codes + code]!;
        // values so rare in their cells that they were counted as none leave nothing to share out
        if (left > 0) gains[row]! -= log(left);
      }
    }
    return gains;
  }

  /** Of each row the cells of those variables that come before one and that rules bind to it. */
  #cellsBefore(index: number, matrix: BitMatrix): (row: number) => (variable: number) => Cell | null {
    const { offsets } = this.model;
    const before = new Map<number, Uint16Array>();
    for (const other of this.#scored.boundTo(index)) {
      if (other === index) break;
      before.set(other, readCodes(matrix, offsets[other]!, offsets[other + 1]!));
    }
    return (row) => (other) => {
      const codes = before.get(other);
      return codes === undefined ? null : { code: codes[row]!, number: null };
    };
  }

  #codesOf(matrix: BitMatrix): readonly Uint16Array[] {
    const { offsets, variables } = this.model;
    return Array.from({ length: variables }, (_, at) => readCodes(matrix, offsets[at]!, offsets[at + 1]!));
  }

  /**
   * P(code | the codes before it) under the rules: element `row * codes + code`. Where the model gives none to what the
   * rules leave, each of these codes is as likely as its cells follow the rules.
   */
  #conditional(index: number, matrix: BitMatrix, weights: Float64Array, possible: PossibleCodes): Float64Array {
    const chances = this.model.distributionOf(index, matrix);
    const codes = weights.length;
    const before = this.#cellsBefore(index, matrix);
    for (let row = 0; row < matrix.rows; row++) {
      const allowed = possible.weightsOf(index, before(row));
      let sum = 0;
      for (let code = 0; code < codes; code++) {
        chances[row * codes + code]! *= weights[code]! * (allowed?.[code] ?? 1);
        sum += chances[row * codes + code]!;
      }
      if (sum === 0) {
        for (let code = 0; code < codes; code++) {
          chances[row * codes + code] = weights[code]! * (allowed?.[code] ?? 1);
          sum += chances[row * codes + code]!;
        }
      }
      for (let code = 0; code < codes; code++) chances[row * codes + code]! /= sum;
    }
    return chances;
  }

  /**
   * Rows in words. Values of cells that only partly follow a rule are drawn until they do, and those that follow from
   * others are computed.
   *
   * @param firstRow the number of the first row
   */
  wordsOf(codes: BitMatrix, seed: number, firstRow: number, known: KnownOfRows = NOTHING_KNOWN): Texts {
    const { table } = this.model;
    const texts = valuesOf(codes, table, seed, new Map(), known.values, firstRow);
    const own = this.#codesOf(codes);
    const rowOf = (row: number): (string | null)[] => texts.map((column) => column[row]!);
    for (let row = 0; row < codes.rows; row++) {
      const cells = new Map<number, Cell>();
      for (const { variables } of this.#drawn.groups())
        for (const index of variables) cells.set(index, knownCell(this.model, known, row, index, own[index]![row]!));
      const write = (index: number, value: number): void => {
        texts[index]![row] = writeValue(value, (table.variables[index] as OrderedVariable).format);
      };
      const settle = (): boolean => {
        for (const [index, { number }] of cells) if (number !== null) write(index, number);
        return this.#computeDetermined(cells, rowOf(row), write) && this.broken(rowOf(row)) === null;
      };
      if (settle()) continue;
      const one = codes.selectRows([row]);
      let isSettled = false;
      for (let draw = 1; draw <= MOST_DRAWS && !isSettled; draw++) {
        // a stream of its own for each draw
        const seedOfDraw = seedBehind(seed, draw * 2 ** 32);
        const drawn = valuesOf(one, table, seedOfDraw, new Map(), new Map(), firstRow + row);
        for (const index of cells.keys()) texts[index]![row] = drawn[index]![0]!;
        isSettled = settle();
      }
      if (isSettled) continue;
      // the row's own stream has drawn what did not follow: its numbers are no longer any numbers
      const stream = new RandomStream(seedBehind(seed, (MOST_DRAWS + 1) * 2 ** 32), Purpose.cell, firstRow + row);
      for (const { shares } of this.#drawn.groups())
        for (const [index, value] of shares.draw(cells, () => stream.uniform())) write(index, value);
    }
    return texts;
  }

  /** Values that follow from others by a rule; false where one does not lie in its cell. */
  #computeDetermined(
    cells: ReadonlyMap<number, Cell>,
    texts: (string | null)[],
    write: (index: number, value: number) => void,
  ): boolean {
    const { variables } = this.model.table;
    const numberAt = (index: number): number => {
      const variable = variables[index] as OrderedVariable;
      const text = texts[index]!;
      return text === null ? NaN : numberOf(text, variable.format);
    };
    for (const { shares } of this.#drawn.groups())
      for (const { sum, place } of shares.determinedOf(cells)) {
        const value = sum.valueOf(place, numberAt);
        if (!shares.isIn(cells.get(place)!, place, value)) return false;
        const { format } = variables[place] as OrderedVariable;
        texts[place] = writeValue(value, format);
        write(place, value);
      }
    return true;
  }

  completions(rows: RowsUnderRules, options: SequentialOptions): readonly Completion[] {
    return completeUnderRules(this.model, this.#ordering, this.#filled, rows, options);
  }

  isPossible({ matrix, known, numberAt }: RowsUnderRules, row: number): boolean {
    const { offsets } = this.model;
    return this.#filled.isPossible((index) => {
      if (known.get(row, offsets[index]!) === 0) return null;
      const code = readCodes(matrix.selectRows([row]), offsets[index]!, offsets[index + 1]!)[0]!;
      return knownCell(this.model, { numberAt }, row, index, code);
    });
  }

  determinedNats(numberAt: (variable: number) => number, codeOf: (variable: number) => number): number {
    const { variables } = this.model.table;
    const cells = new Map<number, Cell>();
    for (const group of this.#scored.groups())
      for (const index of group.variables) cells.set(index, { code: codeOf(index), number: null });
    let nats = 0;
    for (const { shares } of this.#scored.groups())
      for (const { place } of shares.determinedOf(cells)) {
        const variable = variables[place] as OrderedVariable;
        const code = codeOf(place);
        const number = numberAt(place);
        if (ownValue(variable, code) === null && code < valueCount(variable) && !Number.isNaN(number))
          nats += logDensityIn(variable, code, number);
      }
    return nats;
  }

  /** The first rule that a row in words breaks; null where it follows all. */
  broken(texts: readonly (string | null)[]): Rule | null {
    return this.rules.find((rule) => !rule.holds(texts)) ?? null;
  }
}

function everyCode(variable: Variable): Float64Array {
  return new Float64Array(codeCount(variable)).fill(1);
}
