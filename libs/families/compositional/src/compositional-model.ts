import type { ForestMixture } from '@orchard/mixture';
import { ForestMixtureModel } from '@orchard/mixture/model';
import {
  madeOfBody,
  NumberArray,
  RowModel,
  type BinaryMatrix,
  type BodyArrays,
  type ModelCodec,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { everySet, mostExperts } from './every-set.js';
import { compositions, Experts } from './experts.js';

export const compositionalFamily = 'compositional';

/**
 * A row is drawn by switching each expert on or off by itself, and each column by the template that those which are on make together. Its probability is a sum
 * over all 2^K sets of experts, which is done, so that every answer is exact.
 */
export class Compositional extends RowModel {
  readonly family = compositionalFamily;
  readonly #head: Omit<ModelHead, 'family'>;
  #sets: ForestMixtureModel | null = null;

  /** @throws RangeError where there are more experts than can be asked exactly, or of other columns */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly experts: Experts,
  ) {
    super(head);
    const most = mostExperts(head.dimensions);
    if (experts.count > most)
      throw new RangeError(`${String(experts.count)} experts, where ${String(most)} of so many columns are asked`);
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    this.#head = head;
  }

  /** Likelihoods by tables of bytes, which all sets share. */
  override logLikelihood(matrix: BinaryMatrix): Float64Array {
    return this.#everySet().logLikelihood(matrix);
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

  protected get distribution(): ForestMixture {
    return this.#everySet().mixture;
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

  /** Made where it is first asked for: most files of a run's steps are only read. */
  #everySet(): ForestMixtureModel {
    this.#sets ??= new ForestMixtureModel(this.#head, everySet(this.experts));
    return this.#sets;
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
