import { attachSplits, type CountedSplits, type SharedSplits } from '@orchard/dataset';
import { ForestMixtureModel } from '@orchard/mixture';
import type { JsonValue } from '@orchard/model';
import {
  judgedModel,
  loadCounted,
  loadSplits,
  storeModelFiles,
  type ComputationContext,
  type Computations,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { boostedSpecification } from './boosted-run.js';
import { Boosting } from './boosting.js';
import { mixtureOf, readRound, roundBytes, type Round, type RoundTree } from './rounds.js';
import { sectionsOf } from './rounds-section.js';

/** The rows of a thread, and how far it is with the run that it was last asked for. */
class Desk {
  #boosting: Boosting | null = null;
  #run: string | null = null;

  constructor(private readonly rows: CountedSplits) {}

  /** The run as it is before a round; from the beginning where this thread is elsewhere. */
  before(round: number, run: Run): Boosting {
    if (this.#boosting === null || this.#run !== run.id || this.#boosting.rounds.length >= round) {
      this.#boosting = new Boosting(this.rows, boostedSpecification(run));
      this.#run = run.id;
    }
    return this.#boosting;
  }
}

/** A model, and all rounds of the run that it is of. */
export interface Boosted {
  readonly model: ForestMixtureModel;
  readonly rounds: readonly Round[];
}

/** The trees up to the round by which the validation rows are likeliest. */
export async function mix(store: ObjectStore, run: Run, count: number, splits: Splits): Promise<Boosted> {
  const rounds: RoundTree[] = [];
  for (let round = 1; round <= count; round++) rounds.push(await readRound(store, run.id, round));
  const mixture = mixtureOf(rounds);
  const { dimensions, names, shape } = splits.train;
  const specification = {
    runId: run.id,
    ...run.specification,
    rounds: { kept: mixture.weights.length, made: count },
  } as JsonValue;
  const head = { dimensions, names, shape, specification };
  return {
    model: judgedModel((likelihoods) => new ForestMixtureModel({ ...head, likelihoods }, mixture), splits),
    rounds,
  };
}

/** The page about a model. */
export async function reportOf(run: Run, splits: Splits, { model, rounds }: Boosted): Promise<string> {
  // the drawing libraries take longer to load than small trees to learn
  const { reportOnModel } = await import('@orchard/report');
  return reportOnModel({ runId: run.id, model, splits, sections: await sectionsOf(model, rounds) });
}

/** What threads run for boosted trees. */
export const computations = {
  /** Loads the rows that trees are fitted to, and those that end it, each once. */
  load: loadCounted,

  /** A round, after all before it. @returns its file; null where the task was cancelled */
  round: async (
    { run, round }: { run: Run; round: number },
    { store, data, isCancelled }: ComputationContext,
  ): Promise<Uint8Array | null> => {
    const desk = data((handle) => new Desk(attachSplits(handle as SharedSplits)));
    const boosting = desk.before(round, run);
    while (boosting.rounds.length < round - 1) {
      if (isCancelled()) return null;
      boosting.follow(await readRound(store, run.id, boosting.rounds.length + 1));
    }
    return isCancelled() ? null : roundBytes(boosting.variables, boosting.next());
  },

  mix: async (
    { run, count, withReport }: { run: Run; count: number; withReport: boolean },
    { store }: ComputationContext,
  ) => {
    const splits = await loadSplits(store, run);
    const boosted = await mix(store, run, count, splits);
    const { kept, made } = (boosted.model.specification as { rounds: { kept: number; made: number } }).rounds;
    await storeModelFiles(store, run, boosted.model, { rounds: { kept, made } }, () =>
      withReport ? reportOf(run, splits, boosted) : Promise.resolve(null),
    );
  },
} satisfies Computations['functions'];
