import { AUTO, type OrderingKind, type Tuning } from '@orchard/contracts';
import { PipelineError } from '@orchard/pipeline';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { ObjectStore } from '@orchard/storage';
import { viewOf, type AskedRun, type LbarnRun } from '../lbarn-run.js';
import { orderingOfKind } from '../members/member-run.js';

/**
 * One candidate: of the leaves of a tree, of the share of predictors that a tree may use, of the pseudocount of single trees, or of
 * the ordering.
 */
export type Candidate =
  | { readonly of: 'leaves'; readonly leaves: number }
  | { readonly of: 'fraction'; readonly featureFraction: number }
  | { readonly of: 'pseudocount'; readonly pseudoCount: number }
  | { readonly of: 'ordering'; readonly ordering: OrderingKind };

/** A conditional that is trained quickly, to see what a candidate is worth. */
export interface Trial {
  readonly candidate: Candidate;
  /** As stored. */
  readonly dimension: number;
}

/** The key of a trial's task: `leaves-8.17`, `fraction-0.5.17`, `pseudocount-0.1.17`, `ordering-greedy.17`. */
export function keyOfTrial({ candidate, dimension }: Trial): string {
  return `${candidate.of}-${String(valueOf(candidate))}.${dimension}`;
}

function valueOf(candidate: Candidate): number | OrderingKind {
  if (candidate.of === 'leaves') return candidate.leaves;
  if (candidate.of === 'fraction') return candidate.featureFraction;
  return candidate.of === 'pseudocount' ? candidate.pseudoCount : candidate.ordering;
}

/** @throws PipelineError `bad-request` where the run tries nothing of that name */
export function trialOf(run: AskedRun, key: string): Trial {
  const [, name, number] = /^(.+)\.(\d{1,9})$/.exec(key) ?? [];
  const dimension = Number(number);
  const candidates = [leafCandidates, fractionCandidates, pseudoCountCandidates, orderingCandidates];
  const candidate = candidates.flatMap((of) => of(run)).find((one) => nameOf(one) === name);
  if (candidate !== undefined && dimension < run.datasets.train.dimensions) return { candidate, dimension };
  throw new PipelineError('bad-request', {
    got: `the trial ${key}`,
    expected: 'a candidate of the run and a stored dimension',
    where: `run ${run.id}`,
    remedy: 'Submit the run anew, if it is of another release.',
  });
}

function nameOf(candidate: Candidate): string {
  return keyOfTrial({ candidate, dimension: 0 }).slice(0, -2);
}

/** How a run tries; only of runs that have something to find. */
export function tuningOf({ id, specification: { tuning } }: AskedRun): Tuning {
  if (tuning === undefined) throw new Error(`the run ${id} has nothing to find`);
  return tuning;
}

export function leafCandidates({ specification: { tuning } }: AskedRun): readonly Candidate[] {
  return (tuning?.leaves ?? []).map((leaves) => ({ of: 'leaves', leaves }));
}

export function fractionCandidates({ specification: { tuning } }: AskedRun): readonly Candidate[] {
  return (tuning?.featureFractions ?? []).map((featureFraction) => ({ of: 'fraction', featureFraction }));
}

/** The share of predictors that leaves are tried with: the run's, or the first of those that are tried later. */
export function fractionOfLeaves({ specification: { featureFraction, tuning } }: AskedRun): number {
  return featureFraction === AUTO ? tuning!.featureFractions![0]! : featureFraction;
}

export function pseudoCountCandidates({ specification: { tuning } }: AskedRun): readonly Candidate[] {
  return (tuning?.pseudoCounts ?? []).map((pseudoCount) => ({ of: 'pseudocount', pseudoCount }));
}

export function orderingCandidates({ specification: { tuning } }: AskedRun): readonly Candidate[] {
  return (tuning?.orderings ?? []).map((ordering) => ({ of: 'ordering', ordering }));
}

/**
 * The stored dimensions that leaves and shares of predictors are tried on, ascending: one of each stretch of the ordering, since rounds are dearer and tell
 * more the more predictors there are. The first of the ordering has none, so that its trees are one leaf.
 */
export function sampledDimensions(run: AskedRun): number[] {
  const ordering = orderingOfLeaves(run);
  const first = Math.min(1, ordering.length - 1);
  const choices = ordering.length - first;
  const count = Math.min(tuningOf(run).dimensions ?? 1, choices);
  const stream = new RandomStream(run.specification.seed, Purpose.trial);
  const sampled = Array.from({ length: count }, (_, at) => {
    const [from, to] = [at, at + 1].map((edge) => first + Math.floor((edge * choices) / count)) as [number, number];
    return ordering[from + stream.below(to - from)]!;
  });
  return sampled.sort((a, b) => a - b);
}

/** Leaves are tried in the run's ordering, and where that is to be found too in the natural one. */
function orderingOfLeaves({ specification: { ordering }, datasets }: AskedRun): readonly number[] {
  return typeof ordering === 'string' ? Array.from({ length: datasets.train.dimensions }, (_, dim) => dim) : ordering;
}

/** What is settled before orderings are tried. */
export interface FoundBefore {
  readonly featureFraction: number;
  readonly leaves: number;
  readonly pseudoCount: number | undefined;
}

/**
 * The run as a trial has it: quick, with the candidate in the place of what is to be found.
 *
 * @param found before, which the candidate is tried with
 * @throws StorageError `missing` where the ordering looks at data and has not been found yet
 */
export async function trialRun(
  store: ObjectStore,
  run: AskedRun,
  candidate: Candidate,
  { leaves, featureFraction, pseudoCount }: FoundBefore,
): Promise<LbarnRun> {
  const { specification } = run;
  const { rounds, shrinkage, patience } = tuningOf(run);
  const ordering =
    candidate.of === 'ordering' ? await orderingOfKind(store, run, candidate.ordering) : specification.ordering;
  const quick = { ...specification, rounds, shrinkage, patience, leaves, featureFraction, pseudoCount };
  return viewOf(run, { ...quick, ordering: ordering === AUTO ? 'natural' : ordering }, null);
}
