import {
  AUTO,
  isInformed,
  parseContract,
  runSpecificationSchema,
  type InformedKind,
  type MemberNetwork,
  type RunSpecification,
  type SettledSpecification,
  type Tuned,
} from '@orchard/contracts';
import { PipelineError, type Fold, type Run } from '@orchard/pipeline';
import { oncePer } from '@orchard/numerics';

/** A run of networks as it was asked for: it may have settings to find yet. */
export interface AskedRun extends Run {
  readonly specification: RunSpecification;
}

/** A run of networks of which all is settled. */
export interface LbarnRun extends Run {
  readonly specification: SettledSpecification;
  /** `ordering[position]` is the stored dimension there. */
  readonly ordering: Uint32Array;
  /** `positions[dimension]` is where a stored dimension stands in the ordering. */
  readonly positions: Uint32Array;
  /** The network of a member that this is a view of; null of the run itself. */
  readonly of: MemberNetwork | null;
  /** Which of the training and validation rows validate; null where they stay as they are. */
  readonly fold: Fold | null;
  /** What it found for itself by trials; null where there were none. */
  readonly tuned: Tuned | null;
  /** How its ordering was found in the rows, where it was asked for by that name; null otherwise. */
  readonly orderedBy: InformedKind | null;
}

/** @throws Refusal `invalid-contract` for the specification of something else */
export function askedRun(run: Run): AskedRun {
  if (isWorkedOut(run)) return run;
  const specification = parseContract(runSpecificationSchema, run.specification, 'run specification');
  return { ...run, specification };
}

/** Whether a specification says all, so that nothing is screened or found. */
function isSettled(specification: RunSpecification): specification is RunSpecification & SettledSpecification {
  const { leaves, featureFraction, ordering, pseudoCount } = specification;
  const isOrdered = ordering === 'natural' || typeof ordering !== 'string';
  return leaves !== AUTO && featureFraction !== AUTO && isOrdered && pseudoCount !== AUTO;
}

/** The kind of the ordering that a run is to find in its rows; null where it has one, or tries several. */
export function kindToFind({ specification: { ordering } }: AskedRun): InformedKind | null {
  return typeof ordering === 'string' && isInformed(ordering) ? ordering : null;
}

/**
 * A run that says all; one that has settings to find is `settledRun`'s.
 *
 * @throws Refusal `invalid-contract` for the specification of something else; PipelineError `bad-request` for an
 *   ordering of other length
 */
export function lbarnRun(run: Run): LbarnRun {
  // a view of one network is all there is to know of it, also behind a thread's door
  return isWorkedOut(run) ? run : runAsAsked(run);
}

/** A run never changes: what its specification means is worked out once. */
const runAsAsked = oncePer((run: Run): LbarnRun => {
  const { specification } = askedRun(run);
  if (!isSettled(specification)) throw new Error(`the run ${run.id} has settings to find first`);
  return viewOf(run, specification, null);
});

/** The run with these settings. @throws PipelineError `bad-request` for an ordering of other length */
export function viewOf(
  run: Run,
  specification: SettledSpecification,
  tuned: Tuned | null,
  orderedBy: InformedKind | null = null,
): LbarnRun {
  const ordering = orderingOf(specification, run.datasets.train.dimensions);
  const positions = new Uint32Array(ordering.length);
  ordering.forEach((dimension, position) => {
    positions[dimension] = position;
  });
  return { ...run, specification, ordering, positions, of: null, fold: null, tuned, orderedBy };
}

function isWorkedOut(run: Run): run is LbarnRun {
  return 'positions' in run && 'of' in run;
}

/** @throws PipelineError `bad-request` where the run has no such dimension */
export function positionOf(run: LbarnRun, dimension: number): number {
  const position = run.positions[dimension];
  if (position !== undefined) return position;
  throw new PipelineError('bad-request', {
    got: `dimension ${dimension}`,
    expected: `0 to ${run.positions.length - 1}`,
    where: `run ${run.id}`,
    remedy: 'Name a stored dimension of the data set.',
  });
}

/** What a dimension costs relative to others: rounds are dearer the more predictors there are to look at. */
export function costOf(run: LbarnRun, dimension: number): number {
  return Math.min(run.positions[dimension]!, run.specification.maxPredictors ?? Infinity) + 8;
}

function orderingOf({ ordering }: SettledSpecification, dimensions: number): Uint32Array {
  if (ordering === 'natural') return Uint32Array.from({ length: dimensions }, (_, position) => position);
  checkLength(ordering, dimensions);
  return Uint32Array.from(ordering);
}

/** @throws PipelineError `bad-request` for an ordering that does not name every dimension */
export function checkLength(ordering: readonly number[], dimensions: number): void {
  if (ordering.length === dimensions) return;
  throw new PipelineError('bad-request', {
    got: `${ordering.length} dimensions`,
    expected: `all ${dimensions} dimensions of the data`,
    where: 'ordering',
    remedy: 'Name every dimension once.',
  });
}
