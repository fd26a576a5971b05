import type { ForestMixture } from '@orchard/mixture';
import { EverySetModel, mostExperts } from '@orchard/mixture/every-set';
import {
  madeOfBody,
  NumberArray,
  type BodyArrays,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { everySet } from './every-set.js';
import { compositions, Experts } from './experts.js';

export const compositionalFamily = 'compositional';

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

  summary(): ModelSummary {
    const { active, count, composition } = this.experts;
    const expected = active.reduce((sum, share) => sum + share, 0);
    return {
      dimensions: this.dimensions,
      facts: [
        ['model', `${String(count)} ${count === 1 ? 'expert' : 'experts'}, composed by ${composition}`],
        ['active', `${expected.toFixed(2)} of them in a row, on average`],
        ['answers', 'exactly: likelihoods, marginals, conditionals, completions; not the most probable completion'],
      ],
    };
  }

  protected everySet(): ForestMixture {
    return everySet(this.experts);
  }

  protected body(): BodyArrays {
    const { composition, abstaining, active, rates } = this.experts;
    return {
      composition: NumberArray.ofIntegers([Uint32Array.of(compositions.indexOf(composition))]),
      abstaining: NumberArray.ofFloats([Float64Array.of(abstaining)]),
      active: NumberArray.ofFloats([active]),
      rates: NumberArray.ofFloats([rates]),
    };
  }
}

export const compositionalCodec: ModelCodec = {
  family: compositionalFamily,
  read: (head, body) => {
    const { dimensions } = head;
    body.requireOnly(['composition', 'abstaining', 'active', 'rates']);
    const count = body.bytes('active').length / 8;
    const active = body.floats('active', count);
    const rates = body.floats('rates', count * dimensions);
    const composition = compositions[body.integers('composition', 1)[0]!];
    const abstaining = body.floats('abstaining', 1)[0]!;
    return madeOfBody(
      `1 to ${String(mostExperts(dimensions))} experts with probabilities between 0 and 1, composed by ${compositions.join(', ')}`,
      () => {
        if (composition === undefined) throw new RangeError('another composition');
        return new Compositional(head, new Experts({ composition, dimensions, abstaining, active, rates }));
      },
    );
  },
};
