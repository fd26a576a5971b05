import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import {
  asBitMatrix,
  checkSeed,
  checkWhole,
  jointOfRows,
  PARTICLES_OF_TABLES,
  scoresOfDeals,
  type BinaryMatrix,
  type CompleteOptions,
  type Completion,
  type ModelSummary,
  type Score,
  type TableCompletionOptions,
  type TabularModel,
} from '@orchard/model';
import { exp, log } from '@orchard/numerics';
import { completeByMembers } from './complete-by-members.js';
import { ExplainedMixture, sumsOf, type MixtureParts, type MixtureSummary } from './mixture.js';

/** What a member's summary says of the table alone, and all of them alike. */
const OF_THE_TABLE = 'left out';

/**
 * Models of the same table, mixed. Members predict its variables in orderings of their own, so that the mixture
 * predicts each of them by an average over the members: by how probable each is given the row.
 */
export class TableMixture extends ExplainedMixture implements TabularModel {
  declare readonly table: Table;
  declare readonly members: readonly TabularModel[];
  readonly offsets: Uint32Array;
  /** Members have different ones, and the mixture none. */
  readonly ordering = null;

  /**
   * @throws ModelError `invalid-network` where members are of different tables, or weights do not make a distribution
   */
  constructor(parts: MixtureParts) {
    super(parts);
    this.offsets = this.#first.offsets;
  }

  /** V. */
  get variables(): number {
    return this.table.variables.length;
  }

  override get columns(): number {
    return this.variables;
  }

  /**
   * What each variable has of the row's log-likelihood, by the rule of `score`: the members' cells, averaged by how
   * probable each member is given the row and scaled so that they sum to the row's.
   */
  cellLogLikelihoods(matrix: BinaryMatrix): Float64Array {
    return this.score(matrix, { top: 0 }).surprise.map((nats) => -nats);
  }

  /** Each member works out once what does not depend on what is dealt. */
  *scoresOfDeals(deals: readonly BitMatrix[], dealt: number): Generator<Score, void> {
    const ofMembers = this.members.map((member) => scoresOfDeals(member, deals, dealt));
    for (let deal = 0; deal < deals.length; deal++) {
      yield this.scoreOf(
        ofMembers.map((own) => own.next().value!),
        0,
      );
    }
  }

  /**
   * The mean of the members' distributions, each given what comes before the variable in the member's ordering, by how
   * probable each member holds the rest of the row: its weight times its other conditionals. It sums to 1, and its
   * logarithm at the row's code is not the variable's cell.
   */
  distributionOf(index: number, matrix: BinaryMatrix): Float64Array {
    const [distribution] = this.distributionsInTurn(matrix, [index]);
    return distribution!;
  }

  /** The members are asked once how likely the rows are. */
  *distributionsInTurn(
    matrix: BinaryMatrix,
    of: Iterable<number> = this.table.variables.keys(),
  ): Generator<Float64Array, void> {
    const rows = asBitMatrix(matrix, this.dimensions);
    const joint = this.jointLogs(rows);
    const cells = this.members.map((member) => member.cellLogLikelihoods(rows));
    for (const index of of) {
      const rest = joint.map((nats, m) => nats.map((own, row) => own - cells[m]![row * this.variables + index]!));
      yield this.#distributionOf(index, rows, rest);
    }
  }

  /** @param rest of each member, of each row, log of its weight times its other conditionals */
  #distributionOf(index: number, rows: BitMatrix, rest: readonly Float64Array[]): Float64Array {
    const all = sumsOf(rest);
    const ofMembers = this.members.map((member) => member.distributionOf(index, rows));
    const mean = new Float64Array(ofMembers[0]!.length);
    const codes = mean.length / rows.rows;
    for (const [m, own] of ofMembers.entries())
      for (let row = 0, at = 0; row < rows.rows; row++) {
        const share = exp(rest[m]![row]! - all[row]!);
        for (const end = at + codes; at < end; at++) mean[at]! += share * own[at]!;
      }
    return mean;
  }

  /** log Σ over the members of their weight times P(code, all other codes of the row). */
  jointOfRows(matrix: BitMatrix): (index: number) => Float64Array {
    const ofMembers = this.members.map((member) => jointOfRows(member, matrix));
    const logWeights = this.weights.map(log);
    return (index) => sumsOf(ofMembers.map((jointOf, m) => jointOf(index).map((nats) => logWeights[m]! + nats)));
  }

  /** @default samples 1,024 of each member */
  override complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion {
    const { samples = PARTICLES_OF_TABLES } = options;
    return this.completions(values, known, { ...options, samples, draws: 1 })[0]!;
  }

  /**
   * Each draw of a row by one member, chosen by how probable what is known and given is under it: see
   * `completeByMembers`.
   */
  completions(values: BinaryMatrix, known: BinaryMatrix, options: TableCompletionOptions): readonly Completion[] {
    checkSeed(options.seed);
    checkWhole('samples', options.samples, 1, 2 ** 20);
    return completeByMembers(this, options, (m, asked) =>
      this.members[m]!.completions(values, known, { ...options, ...asked }),
    );
  }

  codeOf(matrix: BitMatrix, row: number, index: number): number {
    return this.#first.codeOf(matrix, row, index);
  }

  override emptyRows(count: number): BitMatrix {
    return this.#first.emptyRows(count);
  }

  override summary(): MixtureSummary {
    const summary = super.summary();
    const ofTable = this.#first.summary().facts.filter(([name]) => name === OF_THE_TABLE);
    return { ...summary, facts: [...summary.facts, ...ofTable] };
  }

  protected override factsOf(member: TabularModel): ModelSummary['facts'] {
    return super.factsOf(member).filter(([name]) => name !== OF_THE_TABLE);
  }

  get #first(): TabularModel {
    return this.members[0]!;
  }
}
