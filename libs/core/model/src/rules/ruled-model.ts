import type { Variable } from '@orchard/contracts';
import { codeCount, readCodes, valuesOf, writeCode, type BitMatrix, type Texts } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { ModelError } from '../errors.js';
import { samplerOf, type RowSampler } from '../port/row-sampler.js';
import { drawnWeights } from '../tables/evidence.js';
import type { TabularModel } from '../tables/tabular-model.js';
import { PossibleCodes } from './possible-codes.js';
import type { Rule } from './rule.js';

/** Values of cells that overlap are drawn so often until they follow the rules. */
const MOST_DRAWS = 10_000;

/** What a model answers under rules, be it one model or a mixture. */
export interface RuledRows {
  /** Rows of codes from which values can follow the rules. */
  sampler(seed: number): RowSampler;
  /** What the rules add to log P of each row that follows them, nats. */
  logGains(matrix: BitMatrix): Float64Array;
  /**
   * Rows in words, which follow the rules.
   *
   * @param firstRow the number of the first row
   */
  wordsOf(codes: BitMatrix, seed: number, firstRow: number): Texts;
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
  readonly #ordering: Uint32Array;

  /** @throws ModelError `invalid-argument` for a mixture, ruled member by member, and for rules that contradict */
  constructor(
    private readonly model: TabularModel,
    private readonly rules: readonly Rule[],
  ) {
    if (model.ordering === null)
      throw new ModelError('invalid-argument', {
        got: 'a mixture of models',
        expected: 'one model, whose columns are predicted in one order',
        where: 'rules',
        remedy: 'Train it with --model tables on the table itself.',
      });
    this.#ordering = model.ordering;
    this.#drawn = new PossibleCodes(model.table, rules, model.ordering, drawnWeights);
    this.#scored = new PossibleCodes(model.table, rules, model.ordering, everyCode);
  }

  sampler(seed: number): RowSampler {
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
        cells[row * variables + index] = Math.log(chances[row * codes + code]!);
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
      const known = this.#codesOf(matrix);
      for (let row = 0; row < matrix.rows; row++) {
        const allowed = this.#scored.weightsOf(index, (at) => known[at]![row]!)!;
        let left = 0;
        for (let code = 0; code < codes; code++) left += allowed[code]! * chances[row * codes + code]!;
        gains[row]! -= Math.log(left);
      }
    }
    return gains;
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
    const known = this.#codesOf(matrix);
    for (let row = 0; row < matrix.rows; row++) {
      const allowed = possible.weightsOf(index, (at) => known[at]![row]!);
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
   * Rows in words. Values of cells that only partly follow a rule are drawn until they do.
   *
   * @param firstRow the number of the first row
   */
  wordsOf(codes: BitMatrix, seed: number, firstRow: number): Texts {
    const { table } = this.model;
    const texts = valuesOf(codes, table, seed, new Map(), new Map(), firstRow);
    for (let row = 0; row < codes.rows; row++) {
      const one = codes.selectRows([row]);
      for (let draw = 1; ; draw++) {
        const broken = this.broken(texts.map((column) => column[row]!));
        if (broken === null) break;
        if (draw > MOST_DRAWS)
          throw new ModelError('invalid-argument', {
            got: `cells of which none of ${String(MOST_DRAWS)} values follow ${JSON.stringify(broken.words)}`,
            expected: 'rules that values of one row can follow together',
            where: 'rules',
            remedy: 'Leave one of the rules out.',
          });
        // a stream of its own for each draw
        valuesOf(one, table, seed + draw * 2 ** 32, new Map(), new Map(), firstRow + row).forEach((column, index) => {
          texts[index]![row] = column[0]!;
        });
      }
    }
    return texts;
  }

  /** The first rule that a row in words breaks; null where it follows all. */
  broken(texts: readonly (string | null)[]): Rule | null {
    return this.rules.find((rule) => !rule.holds(texts)) ?? null;
  }
}

function everyCode(variable: Variable): Float64Array {
  return new Float64Array(codeCount(variable)).fill(1);
}
