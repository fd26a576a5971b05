import { tuningDefaults } from '@orchard/contracts';
import { readDocument } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { lbarnNames } from '../artefacts/artefacts.js';
import type { AskedRun } from '../run/lbarn-run.js';
import { leafCandidates, sampledDimensions, tuningOf, type LeafCandidate, type Question } from './trials.js';
import { worthOf } from './worth-of-trials.js';

/**
 * The paper's search for the leaves of a tree (section 5.1): each of 2, 4, … 128 is trained as the run is, and where
 * its rounds did not suffice to converge, once more with a larger shrinkage. All leaves are tried with the run's own
 * first (step 0); `raised-1` then stores which are tried with the next shrinkage, and so on while there are any.
 */

export type Raising = Extract<Question, `raised-${number}`>;

export const raisedSchema = z.strictObject({
  /** Which did not converge with the shrinkage before, ascending. */
  leaves: z.array(z.int().min(2)),
});

export function isRaising(question: Question): question is Raising {
  return question.startsWith('raised-');
}

/** Every step after the first, by its question; none of a run that tries one shrinkage. */
export function raisingsOf(run: AskedRun): readonly Raising[] {
  return (run.specification.tuning?.shrinkages ?? []).slice(1).map((_, at): Raising => `raised-${at + 1}`);
}

/** The candidates of a step. @throws StorageError `missing` where the step before has not decided about it */
export async function candidatesOfStep(
  store: ObjectStore,
  run: AskedRun,
  step: number,
): Promise<readonly LeafCandidate[]> {
  const shrinkage = tuningOf(run).shrinkages?.[step];
  const all = leafCandidates(run).filter((candidate) => candidate.shrinkage === shrinkage);
  if (step === 0) return all;
  const raised = await readDocument(store, lbarnNames.settled(run.id, `raised-${step}`), raisedSchema);
  return all.filter(({ leaves }) => raised.leaves.includes(leaves));
}

/** All candidates that a run has tried, step after step. @throws StorageError `missing` before all steps are decided */
export async function triedLeaves(store: ObjectStore, run: AskedRun): Promise<readonly LeafCandidate[]> {
  const steps = [0, ...raisingsOf(run).map((_, at) => at + 1)];
  const tried: LeafCandidate[] = [];
  for (const step of steps) {
    const candidates = await candidatesOfStep(store, run, step);
    if (candidates.length === 0) break;
    for (const candidate of candidates) tried.push(candidate);
  }
  return tried;
}

/** The leaves whose common validation curve still rose in the last tenth of the rounds. */
export async function settleRaised(
  store: ObjectStore,
  run: AskedRun,
  question: Raising,
): Promise<z.infer<typeof raisedSchema>> {
  const step = Number(question.slice('raised-'.length));
  const candidates = await candidatesOfStep(store, run, step - 1);
  const leaves: number[] = [];
  for (const candidate of candidates) {
    const { rise } = await worthOf(store, run, candidate, sampledDimensions(run));
    if (rise! > tuningDefaults.paper.leastRise) leaves.push(candidate.leaves);
  }
  return { leaves };
}
