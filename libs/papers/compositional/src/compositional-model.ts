import { PlacedExperts, type Experts } from './compositions/index.js';
import type { ForestMixture } from '@orchard/mixture';
import { EverySetModel, mostExperts } from '@orchard/mixture/every-set';
import { madeOfBody, type BodyArrays, type ModelCodec, type ModelHead, type ModelSummary } from '@orchard/model';
import { bodyOfExperts, compositionalFamily, expertsIn, factsOf } from './compositional-body.js';
import { everySet } from './every-set.js';
import { PlacedCompositional } from './placed-model.js';

export { compositionalFamily, PlacedCompositional };

/**
 * A row is drawn by switching each expert on or off by itself, and each column by the template that those which are on
 * make together. Its probability is a sum over all 2^K sets of experts, which is done, so that every answer is exact.
 */
export class Compositional extends EverySetModel<Experts> {
  readonly family = compositionalFamily;

  /** @throws RangeError where there are more experts than can be asked exactly, or of other columns */
  constructor(head: Omit<ModelHead, 'family'>, experts: Experts) {
    super(head, experts, mostExperts(head.dimensions));
  }

  protected factsOfExperts(): ModelSummary['facts'] {
    return factsOf(this.experts);
  }

  protected everySet(): ForestMixture {
    return everySet(this.experts);
  }

  protected body(): BodyArrays {
    return bodyOfExperts(this.experts);
  }
}

/** The model of these experts: exact where every set of them can be asked. */
export function compositionalOf(
  head: Omit<ModelHead, 'family'>,
  experts: Experts | PlacedExperts,
): Compositional | PlacedCompositional {
  return experts instanceof PlacedExperts ? new PlacedCompositional(head, experts) : new Compositional(head, experts);
}

export const compositionalCodec: ModelCodec = {
  family: compositionalFamily,
  read: (head, body) =>
    madeOfBody('one expert at least, with probabilities between 0 and 1, at places that fit the rows', () =>
      compositionalOf(head, expertsIn(body, head)),
    ),
};
