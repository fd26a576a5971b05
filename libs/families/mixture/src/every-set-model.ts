import { RowModel, type BinaryMatrix, type ModelHead, type ModelSummary } from '@orchard/model';
import { ForestMixtureModel } from './forest-mixture-model.js';
import type { ForestMixture } from './forest-mixture.js';

/** K: 65,536 sets of experts. */
export const MOST_EXPERTS = 16;
/** Composed templates of all sets of experts, times columns: their probabilities and logarithms take 64 MB. */
const MOST_CELLS = 2 ** 21;

/**
 * How many experts of so many columns can be asked exactly, each set of them at a time: 16 of 32 columns, 11 of 784.
 */
export function mostExperts(dimensions: number): number {
  return Math.min(MOST_EXPERTS, Math.floor(Math.log2(MOST_CELLS / dimensions)));
}

/**
 * A model in which any set of a few experts makes a row, so that the distribution of rows is a mixture of one product
 * for each set.
 */
export abstract class EverySetModel<
  Experts extends { readonly count: number; readonly dimensions: number },
> extends RowModel {
  readonly #head: Omit<ModelHead, 'family'>;
  #sets: ForestMixtureModel | null = null;

  /** @throws RangeError where there are more experts than can be asked exactly, or of other columns */
  constructor(
    head: Omit<ModelHead, 'family'>,
    readonly experts: Experts,
    most: number,
  ) {
    super(head);
    if (experts.count > most)
      throw new RangeError(`${String(experts.count)} experts, where ${String(most)} of so many columns are asked`);
    if (experts.dimensions !== head.dimensions)
      throw new RangeError(`experts of ${String(experts.dimensions)} columns`);
    this.#head = head;
  }

  summary(): ModelSummary {
    const answers = 'exactly: likelihoods, marginals, conditionals, completions; not the most probable completion';
    return { dimensions: this.dimensions, facts: [...this.factsOfExperts(), ['answers', answers]] };
  }

  /** Likelihoods by tables of bytes, which all sets share. */
  override logLikelihood(matrix: BinaryMatrix): Float64Array {
    return this.#made().logLikelihood(matrix);
  }

  protected get distribution(): ForestMixture {
    return this.#made().mixture;
  }

  protected abstract factsOfExperts(): ModelSummary['facts'];

  /** The product of each set, by its probability. */
  protected abstract everySet(): ForestMixture;

  /** Made where it is first asked for: most files of a run's steps are only read. */
  #made(): ForestMixtureModel {
    this.#sets ??= new ForestMixtureModel(this.#head, this.everySet());
    return this.#sets;
  }
}
