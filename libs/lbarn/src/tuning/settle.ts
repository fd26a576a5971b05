import { AUTO, type OrderingKind, type TunedLeaves, type TunedOrdering } from '@orchard/contracts';
import { concurrently, writeDocument } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from '../artefacts.js';
import type { AskedRun } from '../lbarn-run.js';
import { readTrial } from './screen.js';
import { readTunedLeaves } from './settled-run.js';
import { leafCandidates, orderingCandidates, sampledDimensions, type Candidate } from './trials.js';

/** Reads under way at once. */
const readsAtOnce = 32;

export type Question = 'leaves' | 'ordering';

/**
 * Chooses among the candidates of a question by their trials, and stores what was chosen and what each gave. All trials are to be
 * there. Again, or twice at once, it stores the same bytes.
 *
 * @throws StorageError `missing` where a trial is not done; PipelineError `damaged-artefact`
 */
export async function settle(store: ObjectStore, run: AskedRun, question: Question): Promise<void> {
  const document = question === 'leaves' ? await settleLeaves(store, run) : await settleOrdering(store, run);
  await writeDocument(store, lbarnNames.settled(run.id, question), document);
}

async function settleLeaves(store: ObjectStore, run: AskedRun): Promise<TunedLeaves> {
  const dimensions = sampledDimensions(run);
  const tried = await Promise.all(
    leafCandidates(run).map(async (candidate) => ({
      leaves: (candidate as { leaves: number }).leaves,
      ...(await worthOf(store, run, candidate, dimensions)),
    })),
  );
  return { chosen: best(tried).leaves, dimensions, tried };
}

async function settleOrdering(store: ObjectStore, run: AskedRun): Promise<TunedOrdering> {
  const dimensions = Array.from({ length: run.datasets.train.dimensions }, (_, dim) => dim);
  const tried: { ordering: OrderingKind; validLogLikelihood: number; trees: number }[] = [];
  for (const candidate of orderingCandidates(run)) {
    const { ordering } = candidate as { ordering: OrderingKind };
    tried.push({ ordering, ...(await worthOf(store, run, candidate, dimensions)) });
  }
  const { leaves } = run.specification;
  return {
    chosen: best(tried).ordering,
    leaves: leaves === AUTO ? (await readTunedLeaves(store, run)).chosen : leaves,
    tried,
  };
}

/** Mean nats a validation row of these dimensions together, and their trees. */
async function worthOf(
  store: ObjectStore,
  run: AskedRun,
  candidate: Candidate,
  dimensions: readonly number[],
): Promise<{ validLogLikelihood: number; trees: number }> {
  const trials = await concurrently(dimensions, readsAtOnce, (dimension) =>
    readTrial(store, run, { candidate, dimension }),
  );
  return {
    validLogLikelihood:
      trials.reduce((sum, { validLogLikelihood }) => sum + validLogLikelihood, 0) / run.datasets.valid.rows,
    trees: trials.reduce((sum, { trees }) => sum + trees, 0),
  };
}

/** The likeliest; the first among equals. */
function best<Tried extends { readonly validLogLikelihood: number }>(tried: readonly Tried[]): Tried {
  return tried.reduce((found, one) => (one.validLogLikelihood > found.validLogLikelihood ? one : found));
}
