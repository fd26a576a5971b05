import {
  AUTO,
  trialLimitSchema,
  triedPredictorsSchema,
  tunedFractionSchema,
  tunedLeavesSchema,
  tunedOrderingSchema,
  tunedPseudoCountSchema,
  tunedShrinkageSchema,
  type TunedShrinkage,
} from '@orchard/contracts';
import { readDocument, type Run } from '@orchard/pipeline';
import { listAll, type ObjectStore } from '@orchard/storage';
import type { z } from 'zod';
import { lbarnNames } from '../artefacts/artefacts.js';
import { askedRun, kindToFind, lbarnRun, viewOf, type AskedRun, type LbarnRun } from '../run/lbarn-run.js';
import { orderingOfKind } from '../members/member-run.js';
import { isAtLimit, mayLengthenSteps } from './longer-steps.js';

/** What is stored of each question once it is answered. */
export const settledSchemas = {
  leaves: tunedLeavesSchema,
  fraction: tunedFractionSchema,
  limit: trialLimitSchema,
  shrinkage: tunedShrinkageSchema,
  pseudocount: tunedPseudoCountSchema,
  predictors: triedPredictorsSchema,
  ordering: tunedOrderingSchema,
};
type Settled = typeof settledSchemas;

/** @throws StorageError `missing`; PipelineError `damaged-artefact` */
export function readSettled<Question extends keyof Settled>(
  store: ObjectStore,
  { id }: AskedRun,
  question: Question,
): Promise<z.infer<Settled[Question]>> {
  const document: Promise<unknown> = readDocument(store, lbarnNames.settled(id, question), settledSchemas[question]);
  return document as Promise<z.infer<Settled[Question]>>;
}

/** What was found never changes: it is read once a run. */
const settledRuns = new WeakMap<Run, LbarnRun>();

/**
 * A run with all that it was to find for itself: the same as one that was given them, but for its id and what was
 * tried.
 *
 * @throws StorageError `missing` where it has not been found yet; PipelineError `damaged-artefact`
 * @throws Refusal `invalid-contract` for the specification of something else; PipelineError `bad-request` for an
 *   ordering of other length
 */
export async function settledRun(store: ObjectStore, given: Run): Promise<LbarnRun> {
  const run = askedRun(given);
  const orderedBy = kindToFind(run);
  const { tuning } = run.specification;
  if (tuning === undefined && orderedBy === null) return lbarnRun(given);
  const found = settledRuns.get(given);
  if (found !== undefined) return found;
  const { pseudoCount: asked, ...specification } = run.specification;
  const leaves = specification.leaves === AUTO ? await readSettled(store, run, 'leaves') : null;
  const fraction = specification.featureFraction === AUTO ? await readSettled(store, run, 'fraction') : null;
  const steps = await readTunedShrinkage(store, run);
  const pseudoCount = asked === AUTO ? await readSettled(store, run, 'pseudocount') : null;
  const tellsPredictors = tuning?.predictorDimensions !== undefined;
  const predictors = tellsPredictors ? await readSettled(store, run, 'predictors') : undefined;
  const ordering = specification.ordering === AUTO ? await readSettled(store, run, 'ordering') : null;
  const kind = ordering?.chosen ?? orderedBy;
  const added = asked === AUTO ? pseudoCount!.chosen : asked;
  const settled = viewOf(
    run,
    {
      ...specification,
      ...(added !== undefined && { pseudoCount: added }),
      leaves: steps?.leaves ?? leaves?.chosen ?? (specification.leaves as number),
      shrinkage: steps?.chosen ?? leaves?.shrinkage ?? specification.shrinkage,
      featureFraction: fraction?.chosen ?? (specification.featureFraction as number),
      ordering:
        kind === null ? (specification.ordering as 'natural' | number[]) : await orderingOfKind(store, run, kind),
    },
    tuning === undefined
      ? null
      : {
          leaves,
          ...(fraction !== null && { featureFraction: fraction }),
          ...(steps !== null && { shrinkage: steps }),
          ordering,
          ...(pseudoCount !== null && { pseudoCount }),
          ...(predictors !== undefined && { predictors }),
        },
    orderedBy,
  );
  settledRuns.set(given, settled);
  return settled;
}

/**
 * The longer steps that were tried; null where trials did not gain at their last round, and of a run that an earlier
 * release began to train.
 *
 * @throws StorageError `missing` where it is not known yet; PipelineError `damaged-artefact`
 */
async function readTunedShrinkage(store: ObjectStore, run: AskedRun): Promise<TunedShrinkage | null> {
  if (!mayLengthenSteps(run)) return null;
  const name = lbarnNames.settled(run.id, 'limit');
  if ((await store.head(name)) === null && (await hasBegun(store, run))) return null;
  return isAtLimit(await readSettled(store, run, 'limit')) ? readSettled(store, run, 'shrinkage') : null;
}

/** Whether any column is trained, or was begun. */
async function hasBegun(store: ObjectStore, { id }: AskedRun): Promise<boolean> {
  for (const prefix of [lbarnNames.conditionals(id), lbarnNames.checkpoints(id)])
    for await (const { name } of listAll(store, prefix)) return name !== '';
  return false;
}

/**
 * The run's leaves, said or found, before longer steps were tried.
 *
 * @throws StorageError `missing`; PipelineError `damaged-artefact`
 */
export async function leavesOf(store: ObjectStore, run: AskedRun): Promise<number> {
  const { leaves } = run.specification;
  return leaves === AUTO ? (await readSettled(store, run, 'leaves')).chosen : leaves;
}

/**
 * The shrinkage that a search in full found; undefined where none did.
 *
 * @throws StorageError `missing`; PipelineError `damaged-artefact`
 */
export async function shrinkageOf(store: ObjectStore, run: AskedRun): Promise<number | undefined> {
  const isFound = run.specification.tuning?.shrinkages !== undefined;
  return isFound ? (await readSettled(store, run, 'leaves')).shrinkage : undefined;
}

/**
 * The share of predictors that its trees may use, said or found.
 *
 * @throws StorageError `missing`; PipelineError `damaged-artefact`
 */
export async function fractionOf(store: ObjectStore, run: AskedRun): Promise<number> {
  const { featureFraction } = run.specification;
  return featureFraction === AUTO ? (await readSettled(store, run, 'fraction')).chosen : featureFraction;
}

/**
 * What is added to the counts of single trees, said or found.
 *
 * @throws StorageError `missing`; PipelineError `damaged-artefact`
 */
export async function pseudoCountOf(store: ObjectStore, run: AskedRun): Promise<number | undefined> {
  const { pseudoCount } = run.specification;
  return pseudoCount === AUTO ? (await readSettled(store, run, 'pseudocount')).chosen : pseudoCount;
}
