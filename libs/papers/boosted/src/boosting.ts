import type { DatasetFacts } from '@orchard/contracts';
import type { CountedSplits } from '@orchard/dataset';
import { Boosting as BoostedModels } from '@orchard/density-boosting';
import { untold, type DensityModel } from '@orchard/model';
import { headOfStep } from '@orchard/pipeline';
import type { BoostedSpecification } from './boosted-run.js';
import { withHead, type StoredRound } from './rounds.js';
import { weakLearnerOf } from './weak-learner.js';

/** The rounds of a run, each of which is a file of its own. */
export class Boosting extends BoostedModels<DensityModel> {
  readonly #rows: CountedSplits;

  constructor(
    rows: CountedSplits,
    options: BoostedSpecification,
    { train, valid }: { readonly train: Facts; readonly valid: Facts },
  ) {
    const { dimensions, names, shape } = rows.train.distinct;
    const head = { dimensions, names, shape, specification: null, likelihoods: untold };
    const learner = weakLearnerOf(rows, options, train.table);
    super(
      rows,
      {
        first: () => (options.start === 'uniform' ? learner.uniform(head) : learner.first(head)),
        fit: (weights) => learner.fit(weights, head),
      },
      options,
      { train: natsBeside(train), valid: natsBeside(valid) },
    );
    this.#rows = rows;
  }

  override next(): StoredRound {
    const { facts, model } = super.next();
    const { ratio, ...known } = facts;
    const written = { ...known, ...(ratio === undefined ? {} : { ratio }) };
    return { facts, model: withHead(headOfStep(this.#rows.train.distinct, written, facts.train), model) };
  }
}

type Facts = Pick<DatasetFacts, 'rows' | 'table' | 'densityNats'>;

/** What densities of a table's values add to its codes, mean nats per row. */
function natsBeside({ densityNats = 0, rows }: Facts): number {
  return densityNats / rows;
}
