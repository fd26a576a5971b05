import {
  BOUND_ANSWERS,
  BoundModel,
  type BodyArrays,
  type ModelHead,
  type ModelSummary,
  type WhyIncomplete,
} from '@orchard/model';
import { exp, log, logSumExp, type RandomStream } from '@orchard/numerics';
import { mostExact } from './every-set.js';
import type { Experts } from './experts.js';
import { bodyOf, factsOf } from './partition-body.js';
import { partitionFamily } from './partition-run.js';
import { Pursuit } from './pursuit.js';

/** How far from the likelihood the bound is, where that could be summed (measured.md). */
export const HOW_LOOSE =
  'A bound leaves out most sets of experts: of drawn experts it was too low by 0.6 to 2 nats for 20 of 8 columns, and by 0.03 to 0.5 for 16 of 60.';

/**
 * The same distribution of more experts than could be summed over set by set. Rows are sampled exactly; their
 * likelihood is a lower bound: the sum over those sets of experts that a pursuit looks at, some K for each expert that
 * it finds.
 */
export class PartitionBound extends BoundModel {
  readonly family = partitionFamily;
  /** Made where it is first asked for: most files of a run's steps are only read. */
  #pursuit: Pursuit | null = null;
  /** log (1 - π) - log π of each expert. */
  readonly #prices: Float64Array;
  /** log of Π (1 - π) over what all sets but the empty one have. */
  readonly #logNobody: number;

  /** @throws RangeError where the experts are of other columns */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly experts: Experts,
  ) {
    super(head);
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    this.#prices = experts.active.map((p) => log(1 - p) - log(p));
    const nobody = experts.active.reduce((sum, p) => sum + log(1 - p), 0);
    this.#logNobody = nobody - log(1 - exp(nobody));
  }

  protected override bound(values: Uint8Array): number {
    this.#pursuit ??= new Pursuit(this.experts);
    const terms: number[] = [];
    let priced = 0;
    let paid = 0;
    this.#pursuit.explain(values, this.#prices, (before, expert, nats) => {
      for (; paid < before.length; paid++) priced += this.#prices[before[paid]!]!;
      terms.push(nats - priced - this.#prices[expert]!);
    });
    return this.#logNobody + logSumExp(terms);
  }

  protected override drawRates(stream: RandomStream, rates: Float64Array): void {
    this.experts.composeInto(this.#drawExperts(stream), rates);
  }

  protected override whyIncomplete(): WhyIncomplete {
    const most = mostExact(this.dimensions);
    return {
      got: `unknown values, of a partition of ${String(this.experts.count)} experts`,
      expected: `${String(most)} experts of ${String(this.dimensions)} columns at most, all sets of which can be summed over`,
      remedy: `Train with --experts ${String(most)}, or another model: chow-liu, cutset, mixture and boosted complete rows exactly.`,
    };
  }

  summary(): ModelSummary {
    return { dimensions: this.dimensions, facts: [...factsOf(this.experts), BOUND_ANSWERS] };
  }

  protected body(): BodyArrays {
    return bodyOf(this.experts);
  }

  /** Each by itself, given that not all stay away. */
  #drawExperts(stream: RandomStream): readonly number[] {
    const { active, count } = this.experts;
    // P(none of those from an expert on)
    const nobody = new Float64Array(count + 1).fill(1);
    for (let expert = count - 1; expert >= 0; expert--) nobody[expert] = nobody[expert + 1]! * (1 - active[expert]!);
    const drawn: number[] = [];
    for (let expert = 0; expert < count; expert++) {
      const share = drawn.length > 0 ? active[expert]! : active[expert]! / (1 - nobody[expert]!);
      // the last one comes where none did before: rounding is not a reason to stay away
      if (stream.uniform() < share || (drawn.length === 0 && expert === count - 1)) drawn.push(expert);
    }
    return drawn;
  }
}
