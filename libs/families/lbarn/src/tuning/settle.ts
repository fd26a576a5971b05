import {
  AUTO,
  type OrderingKind,
  type TriedPredictors,
  type TunedFraction,
  type TunedLeaves,
  type TunedOrdering,
  type TunedPseudoCount,
} from '@orchard/contracts';
import { chooseLeaves } from '@orchard/logitboost';
import { concurrently, writeDocument } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from '../artefacts/artefacts.js';
import type { AskedRun } from '../run/lbarn-run.js';
import { readTrial } from './screen.js';
import { isRaising, settleRaised, triedLeaves } from './search-in-full.js';
import { settleLimit, settleSteps } from './settle-steps.js';
import { leavesOf, shrinkageOf } from './settled-run.js';
import { readsAtOnce, worthOf } from './worth-of-trials.js';
import {
  fractionCandidates,
  fractionOfLeaves,
  narrowedDimensions,
  orderingCandidates,
  predictorCandidates,
  pseudoCountCandidates,
  sampledDimensions,
  type Question,
} from './trials.js';

/**
 * Chooses among the candidates of a question by their trials, and stores what was chosen and what each gave; of
 * predictors only what each gave. All trials are to be there. Again, or twice at once, it stores the same bytes.
 *
 * @throws StorageError `missing` where a trial is not done; PipelineError `damaged-artefact`
 */
export async function settle(store: ObjectStore, run: AskedRun, question: Question): Promise<void> {
  const document = isRaising(question)
    ? await settleRaised(store, run, question)
    : await settlers[question](store, run);
  await writeDocument(store, lbarnNames.settled(run.id, question), document);
}

async function settleLeaves(store: ObjectStore, run: AskedRun): Promise<TunedLeaves> {
  const dimensions = sampledDimensions(run);
  const tried = await Promise.all(
    (await triedLeaves(store, run)).map(async (candidate) => ({
      leaves: candidate.leaves,
      ...(await worthOf(store, run, candidate, dimensions)),
      ...(candidate.shrinkage !== undefined && { shrinkage: candidate.shrinkage }),
    })),
  );
  const { rows } = run.datasets.valid;
  const { leaves, shrinkage } = chooseLeaves(tried.map((one) => ({ ...one, nats: one.validLogLikelihood * rows })));
  return { chosen: leaves, dimensions, ...(shrinkage !== undefined && { shrinkage }), tried };
}

/**
 * Another share than the preset's has to gain more nats than this over all validation rows, on the mean of the
 * dimensions tried: a few hundred rows gain as much by chance (mushrooms .1 a dimension, which test rows took back;
 * msnbc 38).
 */
const leastGain = 1;

/** The share that leaves were tried with was tried then: its trials serve again. */
async function settleFraction(store: ObjectStore, run: AskedRun): Promise<TunedFraction> {
  const dimensions = sampledDimensions(run);
  const leaves = await leavesOf(store, run);
  const ofLeaves = { of: 'leaves', leaves, shrinkage: await shrinkageOf(store, run) } as const;
  const tried = await Promise.all(
    fractionCandidates(run).map(async (candidate) => {
      const { featureFraction } = candidate;
      const isTried = run.specification.leaves === AUTO && featureFraction === fractionOfLeaves(run);
      const worth = await worthOf(store, run, isTried ? ofLeaves : candidate, dimensions);
      return { featureFraction, ...worth };
    }),
  );
  const [own] = tried;
  const found = best(tried);
  const gain = ((found.validLogLikelihood - own!.validLogLikelihood) * run.datasets.valid.rows) / dimensions.length;
  return { chosen: (gain > leastGain ? found : own!).featureFraction, leaves, dimensions, tried };
}

async function settlePseudoCount(store: ObjectStore, run: AskedRun): Promise<TunedPseudoCount> {
  const dimensions = Array.from({ length: run.datasets.train.dimensions }, (_, dim) => dim);
  const tried: { pseudoCount: number; validLogLikelihood: number; trees: number }[] = [];
  for (const candidate of pseudoCountCandidates(run)) {
    const { pseudoCount } = candidate;
    tried.push({ pseudoCount, ...(await worthOf(store, run, candidate, dimensions)) });
  }
  return { chosen: best(tried).pseudoCount, tried };
}

async function tellPredictors(store: ObjectStore, run: AskedRun): Promise<TriedPredictors> {
  const dimensions = narrowedDimensions(run);
  const { maxPredictors: most = 0, nearPredictors: near } = run.specification;
  const tried: TriedPredictors['tried'] = [];
  const nats: number[][] = [];
  for (const candidate of predictorCandidates(run)) {
    const { predictors } = candidate;
    tried.push({ predictors, ...(await worthOf(store, run, candidate, dimensions)) });
    const trials = await concurrently(dimensions, readsAtOnce, (dimension) =>
      readTrial(store, run, { candidate, dimension }),
    );
    nats.push(trials.map(({ validLogLikelihood }) => validLogLikelihood / run.datasets.valid.rows));
  }
  const [some, all] = nats as [number[], number[]];
  const differences = some.map((value, at) => value - all[at]!);
  return {
    most,
    ...(near !== undefined && { near }),
    affected: run.datasets.train.dimensions - 1 - most,
    dimensions,
    differences,
    tried,
  };
}

async function settleOrdering(store: ObjectStore, run: AskedRun): Promise<TunedOrdering> {
  const dimensions = Array.from({ length: run.datasets.train.dimensions }, (_, dim) => dim);
  const tried: { ordering: OrderingKind; validLogLikelihood: number; trees: number }[] = [];
  for (const candidate of orderingCandidates(run)) {
    const { ordering } = candidate;
    tried.push({ ordering, ...(await worthOf(store, run, candidate, dimensions)) });
  }
  return { chosen: best(tried).ordering, leaves: await leavesOf(store, run), tried };
}

const settlers = {
  leaves: settleLeaves,
  fraction: settleFraction,
  pseudocount: settlePseudoCount,
  predictors: tellPredictors,
  limit: settleLimit,
  shrinkage: (store, run) => settleSteps(store, run, leastGain),
  ordering: settleOrdering,
} satisfies Record<Exclude<Question, `raised-${number}`>, (store: ObjectStore, run: AskedRun) => Promise<unknown>>;

/** The likeliest; the first among equals. */
function best<Tried extends { readonly validLogLikelihood: number }>(tried: readonly Tried[]): Tried {
  return tried.reduce((found, one) => (one.validLogLikelihood > found.validLogLikelihood ? one : found));
}
