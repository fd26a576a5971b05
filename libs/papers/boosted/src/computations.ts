import { attachSplits, type CountedSplits, type SharedSplits } from '@orchard/dataset';
import { keptRounds } from '@orchard/density-boosting';
import {
  computationOfEnding,
  headOf,
  judgedModel,
  loadCounted,
  type ComputationContext,
  type Computations,
  type End,
  type Run,
} from '@orchard/pipeline';
import { boostedSpecification } from './boosted-run.js';
import { Boosting } from './boosting.js';
import { edgesIn, mixtureOfRounds, rounds, type StoredRound } from './rounds.js';
import { sectionsOf } from './rounds-section.js';

/** The rows of a thread, and how far it is with the run that it was last asked for. */
class Desk {
  #boosting: Boosting | null = null;
  #run: string | null = null;

  constructor(private readonly rows: CountedSplits) {}

  /** The run as it is after so many rounds, or fewer; from the beginning where this thread is elsewhere. */
  before(made: number, run: Run): Boosting {
    if (this.#boosting === null || this.#run !== run.id || this.#boosting.rounds.length > made) {
      this.#boosting = new Boosting(this.rows, boostedSpecification(run), run.datasets);
      this.#run = run.id;
    }
    return this.#boosting;
  }
}

/** The rounds up to the one by which the validation rows are likeliest. */
export const end: End = async (run, splits, store) => {
  const all: StoredRound[] = [];
  for await (const round of rounds.all(store, run)) all.push(round);
  const { weights } = keptRounds(all);
  const figures = { rounds: { kept: weights.length, made: all.length } };
  const head = headOf(run, splits.train, figures);
  const model = judgedModel((likelihoods) => mixtureOfRounds(all, { ...head, likelihoods }), splits);
  const shown = all.map(({ facts, model: own }) => ({ ...facts, edges: edgesIn(own) }));
  return { model, figures, sections: () => sectionsOf(weights, shown) };
};

/** What threads run for boosted trees and networks. */
export const computations = {
  /** Loads the rows that rounds are fitted to, and those that end it, each once. */
  load: loadCounted,

  /** A round, after all before it. @returns its file; null where the task was cancelled */
  round: async (
    { run, key }: { run: Run; key: string },
    { store, data, isCancelled }: ComputationContext,
  ): Promise<Uint8Array | null> => {
    const desk = data((handle) => new Desk(attachSplits(handle as SharedSplits)));
    const { step } = rounds.placeIn(key);
    const boosting = desk.before(step, run);
    while (boosting.rounds.length < step) {
      if (isCancelled()) return null;
      boosting.follow(await rounds.read(store, run, { chain: 0, step: boosting.rounds.length }));
    }
    return isCancelled() ? null : boosting.next().model.toBytes();
  },

  mix: computationOfEnding(end),
} satisfies Computations['functions'];
