import { type TrialLimit, type TunedShrinkage } from '@orchard/contracts';
import { concurrently } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { AskedRun } from '../run/lbarn-run.js';
import { stepCandidates } from './longer-steps.js';
import { readTrial } from './screen.js';
import { fractionOf, leavesOf } from './settled-run.js';
import { fractionOfLeaves, leafCandidates, sampledDimensions, tuningOf, type Candidate } from './trials.js';
import { readsAtOnce, worthOf } from './worth-of-trials.js';

/** Trials that are best within the last rounds, this share of all, would gain by more. */
const LAST_ROUNDS = 0.05;

/** How many dimensions still gained, by the leaves that are tried, no more than were chosen, of which most did. */
export async function settleLimit(store: ObjectStore, run: AskedRun): Promise<TrialLimit> {
  const dimensions = sampledDimensions(run);
  const last = (1 - LAST_ROUNDS) * tuningOf(run).rounds;
  const chosen = await leavesOf(store, run);
  const limits: TrialLimit[] = [];
  for (const candidate of leafCandidates(run)) {
    if (candidate.leaves > chosen) continue;
    const trials = await concurrently(dimensions, readsAtOnce, (dimension) =>
      readTrial(store, run, { candidate, dimension }),
    );
    const atLimit = trials.filter(({ trees }) => trees > last).length;
    limits.push({ leaves: candidate.leaves, dimensions: dimensions.length, atLimit });
  }
  return limits.reduce((most, one) => (one.atLimit > most.atLimit ? one : most));
}

/**
 * Longer steps, with fewer leaves perhaps, where they gain more than `leastGain` nats over all validation rows, on the
 * mean of the dimensions tried.
 */
export async function settleSteps(store: ObjectStore, run: AskedRun, leastGain: number): Promise<TunedShrinkage> {
  const dimensions = sampledDimensions(run);
  const leaves = await leavesOf(store, run);
  const featureFraction = await fractionOf(store, run);
  const isOfLeaves = featureFraction === fractionOfLeaves(run);
  const usual: Candidate = isOfLeaves ? { of: 'leaves', leaves } : { of: 'fraction', featureFraction };
  const own = { shrinkage: run.specification.shrinkage, leaves, ...(await worthOf(store, run, usual, dimensions)) };
  const others = await Promise.all(
    stepCandidates(run, leaves).map(async (candidate) => ({
      shrinkage: candidate.shrinkage,
      leaves: candidate.leaves,
      ...(await worthOf(store, run, candidate, dimensions)),
    })),
  );
  const tried = [own, ...others];
  const found = tried.reduce((best, one) => (one.validLogLikelihood > best.validLogLikelihood ? one : best));
  const gain = ((found.validLogLikelihood - own.validLogLikelihood) * run.datasets.valid.rows) / dimensions.length;
  const chosen = gain > leastGain ? found : own;
  return { chosen: chosen.shrinkage, leaves: chosen.leaves, dimensions, tried };
}
