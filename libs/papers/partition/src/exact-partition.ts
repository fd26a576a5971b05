import type { ForestMixture } from '@orchard/mixture';
import { EverySetModel } from '@orchard/mixture/every-set';
import type { BodyArrays, ModelHead, ModelSummary } from '@orchard/model';
import { everySet, mostExact } from './every-set.js';
import type { Experts } from './experts.js';
import { bodyOf, factsOf } from './partition-body.js';
import { partitionFamily } from './partition-run.js';

/**
 * A row is drawn by experts that each take part or not, but never none, and each column by what those that do make of
 * it by their expertise. Its probability is a sum over all sets of experts, which is done, so that every answer is
 * exact.
 */
export class Partition extends EverySetModel<Experts> {
  readonly family = partitionFamily;
  declare readonly likelihoodIs?: never;

  /** @throws RangeError where there are more experts than can be asked exactly, or of other columns */
  constructor(head: Omit<ModelHead, 'family'>, experts: Experts) {
    super(head, experts, mostExact(head.dimensions));
  }

  protected factsOfExperts(): ModelSummary['facts'] {
    return factsOf(this.experts);
  }

  protected everySet(): ForestMixture {
    return everySet(this.experts);
  }

  protected body(): BodyArrays {
    return bodyOf(this.experts);
  }
}
