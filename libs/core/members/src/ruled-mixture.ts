import type { BitMatrix, Texts } from '@orchard/dataset';
import {
  RuledModel,
  type Completion,
  type KnownOfRows,
  type NumberedSampler,
  type RowsUnderRules,
  type Rule,
  type SequentialOptions,
  type RuledRows,
} from '@orchard/model';
import { log } from '@orchard/numerics';
import { completeByMembers } from './complete-by-members.js';
import { sumsOf } from './mixture.js';
import type { TableMixture } from './table-mixture.js';

/**
 * A mixture under rules that hold of every row: each member under them, mixed by the same weights. Members' rows are 1
 * together each, and so are those of the mixture.
 */
export class RuledMixture implements RuledRows {
  readonly #members: readonly RuledModel[];

  /** @throws ModelError `invalid-argument` for rules that contradict each other */
  constructor(
    private readonly mixture: TableMixture,
    rules: readonly Rule[],
  ) {
    this.#members = mixture.members.map((member) => new RuledModel(member, rules));
  }

  sampler(seed: number): NumberedSampler {
    return this.mixture.samplerBy(seed, (m, own) => this.#members[m]!.sampler(own));
  }

  /** log of Σ w_m P_m(row) under the rules, less the same without them. */
  logGains(matrix: BitMatrix): Float64Array {
    const joint = this.mixture.members.map((member, m) => {
      const logWeight = log(this.mixture.weights[m]!);
      return member.logLikelihood(matrix).map((nats) => logWeight + nats);
    });
    const ruled = joint.map((own, m) => {
      const gains = this.#members[m]!.logGains(matrix);
      // a member that gives a row no probability adds none
      return own.map((nats, row) => (nats === -Infinity ? nats : nats + gains[row]!));
    });
    const before = sumsOf(joint);
    return sumsOf(ruled).map((nats, row) => nats - before[row]!);
  }

  /** Rows in words: members have one table, so that any of them finds the values. */
  wordsOf(codes: BitMatrix, seed: number, firstRow: number, known?: KnownOfRows): Texts {
    return this.#members[0]!.wordsOf(codes, seed, firstRow, known);
  }

  completions(rows: RowsUnderRules, options: SequentialOptions): readonly Completion[] {
    return completeByMembers(this.mixture, options, (m, asked) =>
      this.#members[m]!.completions(rows, { ...options, ...asked }),
    );
  }

  isPossible(rows: RowsUnderRules, row: number): boolean {
    return this.#members[0]!.isPossible(rows, row);
  }

  determinedNats(numberAt: (variable: number) => number, codeOf: (variable: number) => number): number {
    return this.#members[0]!.determinedNats(numberAt, codeOf);
  }
}
