import type { BoostingOptions } from './options.js';

/** How leaves of trees are looked for: candidates, ascending, and the quicker settings that they are tried with. */
export interface LeafSearch {
  readonly leaves: readonly number[];
  readonly rounds: number;
  readonly shrinkage: number;
  readonly patience: number;
}

/** The options of a trial of so many leaves. */
export function trialOptions(
  options: BoostingOptions,
  { rounds, shrinkage, patience }: LeafSearch,
  leaves: number,
): BoostingOptions {
  return { ...options, rounds, shrinkage, patience, leaves };
}

/** A number of leaves as it was tried. */
export interface TriedLeaves {
  readonly leaves: number;
  /** What validation rows are given by all targets on which it was tried, summed nats. */
  readonly nats: number;
}

/**
 * Which of the leaves that were tried are trained with, for rows of every kind: those by which validation rows are
 * likeliest, of equal ones the first. Networks choose for all columns together, by trials of some; a variable of a
 * table for itself, by trials of all its decisions.
 */
export function chooseLeaves<Tried extends TriedLeaves>(tried: readonly Tried[]): Tried {
  return tried.reduce((best, one) => (one.nats > best.nats ? one : best));
}
