import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import {
  answersOf,
  asBitMatrix,
  checkSeed,
  checkWhole,
  emptyMatrix,
  MixedRates,
  NumberArray,
  samplerOf,
  scoreCells,
  valueRates,
  writeModelFile,
  type BinaryMatrix,
  type CompleteOptions,
  type Completion,
  type DensityModel,
  type Exact,
  type Explained,
  type JsonValue,
  type Likelihoods,
  type Marginals,
  type ModelSummary,
  type NumberedSampler,
  type Score,
} from '@orchard/model';
import { exp, log, logSumExp, sumOf } from '@orchard/numerics';
import { checkMixture } from './check-mixture.js';
import { completeByMembers } from './complete-by-members.js';
import { choose, componentUniform, seedOfMember } from './random-members.js';

/** The name of a mixture's file, whatever its members are. */
export const MIXTURE_FAMILY = 'mixture';

/** A member's file up to which it is held while the mixture's is written: making it once more takes seconds. */
const MOST_HELD = 32_000_000;

export interface MixtureParts {
  /** Models of the same columns. */
  readonly members: readonly DensityModel[];
  /** Of each member: positive, 1 in all. */
  readonly weights: Float64Array;
  readonly specification: JsonValue;
  readonly likelihoods: Likelihoods;
}

export interface MixtureSummary extends ModelSummary {
  /** In the order of the file. */
  readonly members: readonly { readonly weight: number; readonly family: string }[];
}

/**
 * P(x) = Σ w_m P_m(x): models of the same columns, mixed with weights. Whatever the members can answer, it answers by
 * them.
 *
 * Member 0, 1, 2, … are summed in this order, so that results are the same bits everywhere.
 */
export class Mixture implements DensityModel, MixtureParts {
  readonly family = MIXTURE_FAMILY;
  readonly dimensions: number;
  readonly names: readonly string[] | null;
  readonly shape: readonly [number, number] | null;
  readonly table?: Table | undefined;
  readonly members: readonly DensityModel[];
  readonly weights: Float64Array;
  readonly specification: JsonValue;
  readonly likelihoods: Likelihoods;
  readonly #logWeights: Float64Array;

  /** @throws ModelError `invalid-network` where members or weights do not fit together */
  constructor(parts: MixtureParts) {
    checkMixture(parts);
    const [first] = parts.members as readonly [DensityModel];
    this.dimensions = first.dimensions;
    this.names = first.names;
    this.shape = first.shape;
    this.table = first.table;
    this.members = parts.members;
    this.weights = parts.weights;
    this.specification = parts.specification;
    this.likelihoods = parts.likelihoods;
    this.#logWeights = parts.weights.map(log);
  }

  /** How many columns the members model: columns of bits, or a table's variables. */
  get columns(): number {
    return this.dimensions;
  }

  /** log Σ w_m P_m(row) of each row. Costs as much as all members. */
  logLikelihood(matrix: BinaryMatrix): Float64Array {
    return sumsOf(this.jointLogs(asBitMatrix(matrix, this.dimensions)));
  }

  /**
   * The surprise of each value is that which the members find, averaged by how probable each member is given the row,
   * and scaled so that a row's surprises sum to minus its log-likelihood. (Unscaled they come short of it by how far
   * the row distinguishes the members apart, Σ p_m log(p_m / w_m), which no column has caused alone: at most the
   * logarithm of the smallest weight.)
   */
  score(rows: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const matrix = asBitMatrix(rows, this.dimensions);
    return this.scoreOf(
      this.members.map((member) => member.score(matrix, { top: 0 })),
      top,
    );
  }

  /** @param scores what each member says of the same rows */
  protected scoreOf(scores: readonly Score[], top: number): Score {
    const { columns } = this;
    const joint = scores.map((own, m) => this.#weighted(m, own.logLikelihood));
    const logLikelihood = sumsOf(joint);
    const rows = logLikelihood.length;
    const cells = new Float64Array(rows * columns);
    for (const [m, { surprise }] of scores.entries()) {
      // a member that shares nothing out among the columns leaves nothing to average
      if (surprise.length !== cells.length) {
        return { ...scoreCells(new Float64Array(), columns, top), logLikelihood, top: 0 };
      }
      for (let row = 0, at = 0; row < rows; row++) {
        const posterior = exp(joint[m]![row]! - logLikelihood[row]!);
        for (let column = 0; column < columns; column++, at++) cells[at]! -= posterior * surprise[at]!;
      }
    }
    for (let row = 0; row < rows; row++) {
      const own = cells.subarray(row * columns, (row + 1) * columns);
      const sum = sumOf(own);
      if (sum < 0)
        own.forEach((value, column) => {
          own[column] = value * (logLikelihood[row]! / sum);
        });
      else own.fill(logLikelihood[row]! / columns);
    }
    return scoreCells(cells, columns, top);
  }

  /** Of each value the mean of the members' rates, by how probable each holds the rest of its row. */
  valueRates(rows: BinaryMatrix): Float64Array {
    const matrix = asBitMatrix(rows, this.dimensions);
    const joint = this.jointLogs(matrix);
    const all = sumsOf(joint);
    const mixed = new MixedRates(matrix.rows * this.dimensions);
    this.members.forEach((member, m) => {
      const rates = valueRates(member, matrix);
      for (let row = 0, at = 0; row < matrix.rows; row++) {
        const share = exp(joint[m]![row]! - all[row]!);
        for (let dim = 0; dim < this.dimensions; dim++, at++) mixed.add(at, share, rates[at]!, matrix.get(row, dim));
      }
    });
    return mixed.rates();
  }

  /**
   * `count` independent draws: of each row first its member, by number r of the stream of (seed, component), then the
   * member's next draw. So a row is the same however many are drawn.
   */
  sample(count: number, seed: number): BitMatrix {
    return this.sampler(seed).next(count);
  }

  sampler(seed: number): NumberedSampler {
    return this.samplerBy(seed, (m, own) => this.members[m]!.sampler(own));
  }

  /**
   * Each row by a member chosen by weight.
   *
   * @param samplerOfMember of member m, by a seed of its own
   */
  samplerBy(seed: number, samplerOfMember: (m: number, seed: number) => NumberedSampler): NumberedSampler {
    checkSeed(seed);
    const members = this.members.map((_, m) => samplerOfMember(m, seedOfMember(seed, m)));
    return samplerOf(
      (count, firstRow) => this.#drawByMembers(count, seed, firstRow, (m, rows) => members[m]!.next(rows)),
      (count, firstRow) => {
        const left = this.members.map(() => 0);
        for (let row = 0; row < count; row++) left[this.#memberOf(seed, firstRow + row)]! += 1;
        members.forEach((member, m) => member.skip(left[m]!));
      },
    );
  }

  #memberOf(seed: number, row: number): number {
    return choose(this.weights, componentUniform(seed, row));
  }

  /** @param next of a member, so many of its draws: those behind the ones that it was asked for before */
  #drawByMembers(
    count: number,
    seed: number,
    firstRow: number,
    next: (m: number, rows: number) => BitMatrix,
  ): BitMatrix {
    const rowsOf: number[][] = this.members.map(() => []);
    for (let row = 0; row < count; row++) rowsOf[this.#memberOf(seed, firstRow + row)]!.push(row);
    const matrix = this.emptyRows(count);
    this.members.forEach((_, m) => {
      const drawn = next(m, rowsOf[m]!.length);
      rowsOf[m]!.forEach((row, at) => copyRow(drawn, at, matrix, row));
    });
    return matrix;
  }

  /**
   * Each row by one member, chosen by how probable what is known is under it, and completed by it: see
   * `completeByMembers`.
   */
  complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion {
    checkSeed(options.seed);
    const { samples = 256 } = options;
    return completeByMembers(this, { ...options, samples, draws: 1 }, (m, { seed }) => [
      this.members[m]!.complete(values, known, { ...options, seed }),
    ])[0]!;
  }

  /** Rows of zeros with what is known of the columns. */
  emptyRows(count: number): BitMatrix {
    return emptyMatrix(count, this);
  }

  summary(): MixtureSummary {
    const { weights, dimensions } = this;
    const members = this.members.map(({ family }, m) => ({ weight: weights[m]!, family }));
    const isEven = weights.every((weight) => weight === weights[0]);
    const facts = this.members.map((member, m): [string, string] => {
      const words = this.factsOf(member).map(([name, said]) => `${name} ${said}`);
      return [
        `member ${m}`,
        `${isEven ? '' : `weight ${weights[m]!.toFixed(4)}, `}${member.family}: ${words.join('; ')}`,
      ];
    });
    const shares = isEven ? `of weight ${weights[0]!.toPrecision(4)} each` : 'of different weights';
    const { conditionals, mostProbable } = answersOf(this);
    const exact = conditionals === 'exact' ? ', marginals, conditionals, completions' : '';
    const rows = mostProbable === 'exact' ? ', most probable completions' : '';
    const others = conditionals === 'exact' ? '' : '; conditionals and completions from samples';
    const answers: [string, string][] =
      conditionals === 'none' ? [] : [['answers', `exactly: likelihoods, samples${exact}${rows}${others}`]];
    return { dimensions, facts: [['members', `${members.length} ${shares}`], ...facts, ...answers], members };
  }

  toBytes(): Uint8Array {
    // a large member's file is made twice, once to be measured: all of them together are as large as the file that is
    // made of them
    const files = this.members.map((member, m) => {
      const file = member.toBytes();
      const { length } = file;
      const array =
        length <= MOST_HELD ? NumberArray.ofBytes(file) : NumberArray.ofBytesMade(length, () => member.toBytes());
      return [`member${m}`, array] as const;
    });
    return writeModelFile(this, { weights: NumberArray.ofFloats([this.weights]), ...Object.fromEntries(files) });
  }

  /** What a member's line says of it: what it answers by itself is not what the mixture does. */
  protected factsOf(member: DensityModel): ModelSummary['facts'] {
    return member.summary().facts.filter(([name]) => name !== 'answers');
  }

  /** log (w_m P_m(row)): of each member, of each row. */
  protected jointLogs(matrix: BitMatrix): Float64Array[] {
    return this.members.map((member, m) => this.#weighted(m, member.logLikelihood(matrix)));
  }

  #weighted(m: number, logLikelihood: Float64Array): Float64Array {
    return logLikelihood.map((nats) => this.#logWeights[m]! + nats);
  }
}

/** log Σ over members of each row. */
export function sumsOf(joint: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(joint[0]!.length);
  const own = new Float64Array(joint.length);
  for (let row = 0; row < sums.length; row++) {
    for (let m = 0; m < own.length; m++) own[m] = joint[m]![row]!;
    sums[row] = logSumExp(own);
  }
  return sums;
}

/** A mixture of models that say exactly how unknown values are distributed. */
export class ExactMixture extends Mixture implements Exact {
  declare readonly members: readonly (DensityModel & Exact)[];

  /** The members' rates, by how probable each is given what is known: w_m Z_m. */
  marginals(values: BinaryMatrix, known: BinaryMatrix): Marginals {
    const logWeights = this.weights.map(log);
    const told = this.members.map((member) => member.marginals(values, known));
    const rates = new Float64Array(told[0]!.rates.length);
    const logEvidence = told[0]!.logEvidence.map((_, row) => {
      const joint = told.map((own, m) => logWeights[m]! + own.logEvidence[row]!);
      const total = logSumExp(joint);
      for (const [m, own] of told.entries()) {
        const share = exp(joint[m]! - total);
        for (let at = row * this.dimensions, end = at + this.dimensions; at < end; at++)
          rates[at]! += share * own.rates[at]!;
      }
      return total;
    });
    // shares sum to one but for rounding, and what is known is known
    return { rates: rates.map((rate) => Math.min(1, rate)), logEvidence };
  }
}

/** A mixture of models that can say what their columns are predicted from. */
export class ExplainedMixture extends Mixture implements Explained {
  declare readonly members: readonly (DensityModel & Explained)[];

  /** Shares by column: the mean over the members by weight, of those in which anything predicts the column. */
  importanceOf(column: number): Float64Array {
    checkWhole('column', column, 0, this.columns - 1);
    const shares = new Float64Array(this.columns);
    this.members.forEach((member, m) => {
      member.importanceOf(column).forEach((share, other) => {
        shares[other]! += this.weights[m]! * share;
      });
    });
    const total = sumOf(shares);
    return total > 0 ? shares.map((share) => share / total) : shares;
  }

  /** Those that no member predicts anything from. */
  irrelevantVariables(): Uint32Array {
    const [first, ...others] = this.members.map((member) => new Set(member.irrelevantVariables()));
    return Uint32Array.from(first!).filter((column) => others.every((unused) => unused.has(column)));
  }
}

function copyRow(from: BitMatrix, row: number, to: BitMatrix, at: number): void {
  to.bytes.set(from.bytes.subarray(row * from.stride, (row + 1) * from.stride), at * to.stride);
}
