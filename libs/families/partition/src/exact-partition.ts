import type { ForestMixture } from '@orchard/mixture';
import { ForestMixtureModel } from '@orchard/mixture/model';
import { RowModel, type BinaryMatrix, type BodyArrays, type ModelHead, type ModelSummary } from '@orchard/model';
import { everySet, mostExact } from './every-set.js';
import type { Experts } from './experts.js';
import { bodyOf, factsOf } from './partition-body.js';
import { partitionFamily } from './partition-run.js';

/**
 * A row is drawn by experts that each take part or not, but never none, and each column by what those that do make of it by their expertise. Its probability is a
 * sum over all sets of experts, which is done, so that every answer is exact.
 */
export class Partition extends RowModel {
  readonly family = partitionFamily;
  declare readonly likelihoodIs?: never;
  readonly #head: Omit<ModelHead, 'family'>;
  #sets: ForestMixtureModel | null = null;

  /** @throws RangeError where there are more experts than can be asked exactly, or of other columns */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly experts: Experts,
  ) {
    super(head);
    const most = mostExact(head.dimensions);
    if (experts.count > most)
      throw new RangeError(`${String(experts.count)} experts, where ${String(most)} of so many columns are asked`);
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    this.#head = head;
  }

  /** By tables of bytes, which all sets share. */
  override logLikelihood(matrix: BinaryMatrix): Float64Array {
    return this.#everySet().logLikelihood(matrix);
  }

  summary(): ModelSummary {
    return {
      dimensions: this.dimensions,
      facts: [
        ...factsOf(this.experts),
        ['answers', 'exactly: likelihoods, marginals, conditionals, completions; not the most probable completion'],
      ],
    };
  }

  protected get distribution(): ForestMixture {
    return this.#everySet().mixture;
  }

  protected body(): BodyArrays {
    return bodyOf(this.experts);
  }

  /** Made where it is first asked for: most files of a run's steps are only read. */
  #everySet(): ForestMixtureModel {
    this.#sets ??= new ForestMixtureModel(this.#head, everySet(this.experts));
    return this.#sets;
  }
}
