import { AUTO, presets, tuningDefaults, type TrialLimit } from '@orchard/contracts';
import type { AskedRun } from '../run/lbarn-run.js';
import type { CandidateOf } from './trials.js';

/**
 * Where many trials still gain at their last round, a run has too few rounds for its steps. It tries longer ones then,
 * with the leaves that were chosen and with fewer: trees that come too few have more leaves than they would need.
 */

export type StepCandidate = CandidateOf<'shrinkage'>;

/** Of the dimensions tried. Some always are at their limit: a column that others decide gains for ever, ever less. */
const MANY = 0.25;

/** Whether so many dimensions still gained at the last round of their trial that longer steps are tried. */
export function isAtLimit({ dimensions, atLimit }: TrialLimit): boolean {
  return atLimit >= MANY * dimensions;
}

/**
 * Whether a run may take longer steps: one that leaves to its preset how many rounds it has, how large they are, and
 * the leaves of a tree.
 */
export function mayLengthenSteps({ specification }: AskedRun): boolean {
  const { leaves, rounds, shrinkage, dropout, tuning } = specification;
  const usual = presets.default;
  const isUsual = rounds === usual.rounds && shrinkage === usual.shrinkage;
  // a search in full raises the shrinkage itself
  return leaves === AUTO && isUsual && dropout === undefined && tuning?.shrinkages === undefined;
}

/** Every longer step with each of the leaves that were tried, no more than were chosen. */
export function stepCandidates({ specification }: AskedRun, chosenLeaves = Infinity): readonly StepCandidate[] {
  const fewer = (specification.tuning?.leaves ?? []).filter((leaves) => leaves <= chosenLeaves);
  return tuningDefaults.longerSteps.flatMap((times) => {
    // as people write it, without what binary fractions add
    const shrinkage = Number((times * specification.shrinkage).toPrecision(12));
    return fewer.map((leaves): StepCandidate => ({ of: 'shrinkage', shrinkage, leaves }));
  });
}
