import { AUTO, type OrderingKind, type Tuning } from '@orchard/contracts';
import { PipelineError } from '@orchard/pipeline';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { ObjectStore } from '@orchard/storage';
import { viewOf, type AskedRun, type LbarnRun } from '../run/lbarn-run.js';
import { orderingOfKind } from '../members/member-run.js';
import { stepCandidates } from './longer-steps.js';

/**
 * One candidate: of the leaves of a tree (of a search in full with a shrinkage), of the share of predictors that a tree
 * may use, of longer steps with some leaves, of the pseudocount of single trees, of the most predictors that a
 * conditional looks at (null for all), or of the ordering.
 */
export type Candidate =
  | { readonly of: 'leaves'; readonly leaves: number; readonly shrinkage?: number | undefined }
  | { readonly of: 'fraction'; readonly featureFraction: number }
  | { readonly of: 'shrinkage'; readonly shrinkage: number; readonly leaves: number }
  | { readonly of: 'pseudocount'; readonly pseudoCount: number }
  | { readonly of: 'predictors'; readonly predictors: number | null }
  | { readonly of: 'ordering'; readonly ordering: OrderingKind };

export type CandidateOf<What extends Candidate['of']> = Extract<Candidate, { readonly of: What }>;
export type LeafCandidate = CandidateOf<'leaves'>;

/**
 * What trials decide. `limit`: whether longer steps are tried. `raised-1`, `raised-2`, …: of a search in full, which
 * leaves are tried with the next shrinkage.
 */
export type Question = Candidate['of'] | 'limit' | `raised-${number}`;

/** A conditional that is trained quickly, to see what a candidate is worth. */
export interface Trial {
  readonly candidate: Candidate;
  /** As stored. */
  readonly dimension: number;
}

/**
 * The key of a trial's task: `leaves-8.17`, `leaves-8-by-0.05.17`, `fraction-0.5.17`, `shrinkage-0.2-8.17`,
 * `pseudocount-0.1.17`, `predictors-all.17`, `ordering-greedy.17`.
 */
export function keyOfTrial({ candidate, dimension }: Trial): string {
  return `${candidate.of}-${String(valueOf(candidate))}.${dimension}`;
}

function valueOf(candidate: Candidate): number | string {
  if (candidate.of === 'leaves')
    return candidate.shrinkage === undefined ? candidate.leaves : `${candidate.leaves}-by-${candidate.shrinkage}`;
  if (candidate.of === 'shrinkage') return `${String(candidate.shrinkage)}-${String(candidate.leaves)}`;
  if (candidate.of === 'predictors') return candidate.predictors ?? 'all';
  if (candidate.of === 'fraction') return candidate.featureFraction;
  return candidate.of === 'pseudocount' ? candidate.pseudoCount : candidate.ordering;
}

/** @throws PipelineError `bad-request` where the run tries nothing of that name */
export function trialOf(run: AskedRun, key: string): Trial {
  const [, name, number] = /^(.+)\.(\d{1,9})$/.exec(key) ?? [];
  const dimension = Number(number);
  const candidates = [
    ...[leafCandidates, fractionCandidates, (asked: AskedRun) => stepCandidates(asked)],
    ...[pseudoCountCandidates, predictorCandidates, orderingCandidates],
  ];
  const candidate = candidates.flatMap((of): readonly Candidate[] => of(run)).find((one) => nameOf(one) === name);
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

/** Each number of leaves; of a search in full with each shrinkage, of which some are tried. */
export function leafCandidates({ specification: { tuning } }: AskedRun): readonly LeafCandidate[] {
  const leaves = tuning?.leaves ?? [];
  return (tuning?.shrinkages ?? [undefined]).flatMap((shrinkage) =>
    leaves.map((own): LeafCandidate => ({ of: 'leaves', leaves: own, ...(shrinkage !== undefined && { shrinkage }) })),
  );
}

export function fractionCandidates({ specification: { tuning } }: AskedRun): readonly CandidateOf<'fraction'>[] {
  return (tuning?.featureFractions ?? []).map((featureFraction) => ({ of: 'fraction', featureFraction }));
}

/** The share of predictors that leaves are tried with: the run's, or the first of those that are tried later. */
export function fractionOfLeaves({ specification: { featureFraction, tuning } }: AskedRun): number {
  return featureFraction === AUTO ? tuning!.featureFractions![0]! : featureFraction;
}

export function pseudoCountCandidates({ specification: { tuning } }: AskedRun): readonly CandidateOf<'pseudocount'>[] {
  return (tuning?.pseudoCounts ?? []).map((pseudoCount) => ({ of: 'pseudocount', pseudoCount }));
}

/** As many as the run looks at, and all: where it looks at fewer. */
export function predictorCandidates({
  specification: { tuning, maxPredictors },
}: AskedRun): readonly CandidateOf<'predictors'>[] {
  const tried = tuning?.predictorDimensions === undefined ? [] : [maxPredictors!, null];
  return tried.map((predictors) => ({ of: 'predictors', predictors }));
}

export function orderingCandidates({ specification: { tuning } }: AskedRun): readonly CandidateOf<'ordering'>[] {
  return (tuning?.orderings ?? []).map((ordering) => ({ of: 'ordering', ordering }));
}

/**
 * The stored dimensions that leaves and shares of predictors are tried on, ascending: one of each stretch of the
 * ordering, since rounds are dearer and gain more the more predictors there are. The first of the ordering has none, so
 * that its trees are one leaf.
 */
export function sampledDimensions(run: AskedRun): number[] {
  return sampledFrom(run, Math.min(1, run.datasets.train.dimensions - 1), tuningOf(run).dimensions ?? 1);
}

/**
 * Those on which the loss by fewer predictors is measured, ascending: dimensions that have more before them than they
 * look at.
 */
export function narrowedDimensions(run: AskedRun): number[] {
  return sampledFrom(run, run.specification.maxPredictors! + 1, tuningOf(run).predictorDimensions!);
}

/** One dimension of each of so many stretches of the ordering, from a position on. */
function sampledFrom(run: AskedRun, first: number, most: number): number[] {
  const ordering = orderingOfLeaves(run);
  const choices = ordering.length - first;
  const count = Math.min(most, choices);
  const stream = new RandomStream(run.specification.seed, Purpose.trial);
  const sampled = Array.from({ length: count }, (_, at) => {
    const [from, to] = [at, at + 1].map((edge) => first + Math.floor((edge * choices) / count)) as [number, number];
    return ordering[from + stream.below(to - from)]!;
  });
  return sampled.sort((a, b) => a - b);
}

/** Leaves and the like are tried in the run's ordering, and where that is to be found too in the natural one. */
function orderingOfLeaves({ specification: { ordering }, datasets }: AskedRun): readonly number[] {
  return typeof ordering === 'string' ? Array.from({ length: datasets.train.dimensions }, (_, dim) => dim) : ordering;
}

/** What is settled before orderings are tried. */
export interface FoundBefore {
  readonly featureFraction: number;
  readonly leaves: number;
  readonly pseudoCount: number | undefined;
  /** Found with the leaves of a search in full, or tried. */
  readonly shrinkage?: number | undefined;
}

/**
 * The run as a trial has it: quick, with the candidate for the setting that is to be found.
 *
 * @param found before, which the candidate is tried with
 * @throws StorageError `missing` where the ordering looks at data and has not been found yet
 */
export async function trialRun(
  store: ObjectStore,
  run: AskedRun,
  candidate: Candidate,
  { leaves, featureFraction, pseudoCount, shrinkage: found }: FoundBefore,
): Promise<LbarnRun> {
  const { specification } = run;
  const { rounds, patience, shrinkage: quick } = tuningOf(run);
  const shrinkage = found ?? quick;
  const ordering =
    candidate.of === 'ordering' ? await orderingOfKind(store, run, candidate.ordering) : specification.ordering;
  const { maxPredictors: told } = specification;
  const maxPredictors = candidate.of === 'predictors' ? (candidate.predictors ?? undefined) : told;
  const nearPredictors = maxPredictors === undefined ? undefined : specification.nearPredictors;
  const seen = { maxPredictors, nearPredictors };
  const tried = { ...specification, rounds, shrinkage, patience, leaves, featureFraction, pseudoCount, ...seen };
  return viewOf(run, { ...tried, ordering: typeof ordering === 'string' ? 'natural' : ordering }, null);
}
