import type { Variable } from '@orchard/contracts';
import { codeCount, decisionTreeOf, pathsOf, type BitMatrix, type DecisionTree } from '@orchard/dataset';
import { logProbability, type Ensemble } from '@orchard/model';
import { allowedOdds } from './allowed-codes.js';
import type { KnownRows } from './known-rows.js';
import type { LineOdds } from './line/line.js';
import type { RowOdds } from './row-odds.js';

/**
 * P(value of one variable | those before it in the ordering): an ensemble a decision of its tree (README). The
 * probability of a code is the product over the decisions on its path. The odds of a decision are those of its trees,
 * times those of the line where it starts from one.
 */
export class VariableConditional {
  readonly tree: DecisionTree;
  readonly codes: number;

  constructor(
    readonly variable: Variable,
    readonly ensembles: readonly Ensemble[],
    private readonly engine: RowOdds,
    readonly line: LineOdds | null = null,
  ) {
    this.tree = decisionTreeOf(variable);
    this.codes = codeCount(variable);
  }

  /**
   * log P(code) in nats.
   *
   * @param known the variables before
   * @param codes of the variable, by row of `known`
   * @param rows which rows
   * @param out by row of `known`
   */
  logProbabilities(known: KnownRows, codes: Uint16Array, rows: Uint32Array, out: Float64Array): void {
    const outcomes = outcomesByCode(this.tree, this.codes);
    for (const row of rows) out[row] = 0;
    const places = this.#places(known, rows);
    const visit = (decision: number, reaching: Uint32Array): void => {
      const odds = this.#odds(decision, known, reaching, places);
      const byCode = outcomes[decision]!;
      const [zeros, ones] = [new Uint32Array(reaching.length), new Uint32Array(reaching.length)];
      let [zero, one] = [0, 0];
      for (let place = 0; place < reaching.length; place++) {
        const row = reaching[place]!;
        const outcome = byCode[codes[row]!] as 0 | 1;
        out[row]! += logProbability(outcome, odds[place]!);
        if (outcome === 0) zeros[zero++] = row;
        else ones[one++] = row;
      }
      const [ifZero, ifOne] = [this.tree.zero[decision]!, this.tree.one[decision]!];
      if (ifZero >= 0 && zero > 0) visit(ifZero, zeros.subarray(0, zero));
      if (ifOne >= 0 && one > 0) visit(ifOne, ones.subarray(0, one));
    };
    if (this.ensembles.length > 0 && rows.length > 0) visit(0, rows);
  }

  /**
   * Draws codes.
   *
   * @param known the variables before
   * @param uniforms one number in [0, 1) a row of `known`: it is spent decision by decision
   * @param weights of each code, 0 to 1: how far it is allowed
   * @param codes written by row of `known`
   */
  draw(
    known: KnownRows,
    rows: Uint32Array,
    uniforms: Float64Array,
    weights: ArrayLike<number>,
    codes: Uint16Array,
  ): void {
    const place = new Uint32Array(known.bits.rows);
    rows.forEach((row, at) => {
      place[row] = at;
    });
    const places = this.#places(known, rows);
    const { odds } = allowedOdds(this.tree, weights, rows.length, (decision) =>
      this.#odds(decision, known, rows, places),
    );
    const visit = (child: number, reaching: Uint32Array): void => {
      if (child < 0) {
        for (const row of reaching) codes[row] = -1 - child;
        return;
      }
      const conditioned = odds[child] ?? null;
      const own = conditioned ?? this.#odds(child, known, reaching, places);
      const [zero, one] = [this.tree.zero[child]!, this.tree.one[child]!];
      const isOne = new Uint8Array(reaching.length);
      reaching.forEach((row, at) => {
        const p = shareOf(own[conditioned === null ? at : place[row]!]!);
        const uniform = uniforms[row]!;
        isOne[at] = uniform < p ? 1 : 0;
        // what is left of the number is uniform again
        const rest = uniform < p ? uniform / p : (uniform - p) / (1 - p);
        uniforms[row] = Math.min(rest, 1 - 2 ** -53);
      });
      visit(
        zero,
        reaching.filter((_, at) => isOne[at] === 0),
      );
      visit(
        one,
        reaching.filter((_, at) => isOne[at] === 1),
      );
    };
    visit(this.ensembles.length === 0 ? -1 : 0, rows);
  }

  /** The odds of a decision's trees, by place in `rows`: {@link VariableConditional.fromLine} has where they start. */
  oddsOfTrees(decision: number, bits: BitMatrix, rows: Uint32Array, out: Float64Array): void {
    this.engine.odds(this.ensembles[decision]!, bits, rows, out);
  }

  /**
   * Makes those odds, by place in `rows`, odds on a line; they stay where the decision does not start from one.
   *
   * @param places e^μ by row
   */
  fromLine(decision: number, odds: Float64Array, rows: ArrayLike<number>, places: Float64Array): void {
    if (this.line?.has(decision) === true) this.line.multiply(decision, odds, rows, places);
  }

  /** P(code) of all codes: element `place * codes + code`, by place in `rows`. */
  distribution(known: KnownRows, rows: Uint32Array): Float64Array {
    const result = new Float64Array(rows.length * this.codes);
    const places = this.#places(known, rows);
    const visit = (child: number, before: Float64Array): void => {
      if (child < 0) {
        before.forEach((p, at) => {
          result[at * this.codes - 1 - child] = p;
        });
        return;
      }
      const odds = this.#odds(child, known, rows, places);
      visit(
        this.tree.zero[child]!,
        before.map((p, at) => p / (1 + odds[at]!)),
      );
      visit(
        this.tree.one[child]!,
        before.map((p, at) => p * shareOf(odds[at]!)),
      );
    };
    visit(this.ensembles.length === 0 ? -1 : 0, new Float64Array(rows.length).fill(1));
    return result;
  }

  /** e^μ by row of `known`; null where there is no line. */
  #places({ bits, codes, positions }: KnownRows, rows: Uint32Array): Float64Array | null {
    if (this.line === null) return null;
    const places = new Float64Array(bits.rows);
    this.line.places(codes, positions, rows, [...Array(positions).keys()], places);
    return places;
  }

  #odds(decision: number, { bits }: KnownRows, rows: Uint32Array, places: Float64Array | null): Float64Array {
    const odds = new Float64Array(rows.length);
    this.oddsOfTrees(decision, bits, rows, odds);
    if (places !== null) this.fromLine(decision, odds, rows, places);
    return odds;
  }
}

/** Of each decision, what it comes to by code: 0, 1, or 2 where the code does not reach it. */
export function outcomesByCode(tree: DecisionTree, codes: number): readonly Uint8Array[] {
  const outcomes = Array.from(tree.zero, () => new Uint8Array(codes).fill(2));
  pathsOf(tree).forEach((path, code) => {
    for (const { decision, outcome } of path) outcomes[decision]![code] = outcome;
  });
  return outcomes;
}

function shareOf(odds: number): number {
  return odds === Infinity ? 1 : odds / (1 + odds);
}
