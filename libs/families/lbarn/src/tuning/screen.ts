import { noProgress } from '@orchard/contracts';
import { greatestOf, placeOfGreatest } from '@orchard/numerics';
import {
  interruptedAfter,
  readDocument,
  requireSameNumerics,
  writeDocument,
  type TaskContext,
  type TaskOutcome,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { lbarnNames } from '../artefacts/artefacts.js';
import { decodeCurves } from '../artefacts/conditional-codec.js';
import { positionOf, type AskedRun, type LbarnRun } from '../run/lbarn-run.js';
import type { TrainingPorts } from '../training/train-dimension.js';
import { boostingOptions } from '../training/training-data.js';
import { fractionOf, leavesOf, pseudoCountOf, shrinkageOf } from './settled-run.js';
import { fractionOfLeaves, keyOfTrial, trialRun, tuningOf, type Trial } from './trials.js';

/** What a trial gave. */
export const trialDocumentSchema = z.strictObject({
  /** Of the best round. */
  trees: z.int().min(0),
  /** Summed nats over the validation rows, at the best round. */
  validLogLikelihood: z.number(),
  /** Summed nats over the validation rows after each number of rounds; of a search in full. */
  curve: z.array(z.number()).min(1).optional(),
  /** Of a search in full by an earlier release, which kept no curve: what all rounds and the last tenth added. */
  added: z.strictObject({ all: z.number(), late: z.number() }).optional(),
});

export type TrialDocument = z.infer<typeof trialDocumentSchema>;

/** @throws StorageError `missing`; PipelineError `damaged-artefact` */
export function readTrial(store: ObjectStore, { id }: AskedRun, trial: Trial): Promise<TrialDocument> {
  return readDocument(store, lbarnNames.screening(id, keyOfTrial(trial)), trialDocumentSchema);
}

/** The run that a trial is one conditional of, and the one whose data it shares with other trials. */
export async function runsOfTrial(
  store: ObjectStore,
  run: AskedRun,
  { candidate }: Trial,
): Promise<{ readonly own: LbarnRun; readonly data: LbarnRun }> {
  if (candidate.of === 'leaves') {
    const most = greatestOf(tuningOf(run).leaves!);
    const { leaves, shrinkage } = candidate;
    const found = { leaves, shrinkage, featureFraction: fractionOfLeaves(run), pseudoCount: undefined };
    const own = await trialRun(store, run, candidate, found);
    return { own, data: { ...own, specification: { ...own.specification, leaves: most } } };
  }
  const isStep = candidate.of === 'shrinkage';
  const own = await trialRun(store, run, candidate, {
    leaves: isStep ? candidate.leaves : await leavesOf(store, run),
    shrinkage: isStep ? quickStep(run, candidate.shrinkage) : await shrinkageOf(store, run),
    // trials of a question have each another
    featureFraction: candidate.of === 'fraction' ? candidate.featureFraction : await fractionOf(store, run),
    pseudoCount: candidate.of === 'pseudocount' ? candidate.pseudoCount : await pseudoCountOf(store, run),
  });
  return { own, data: own };
}

/** A shrinkage as trials have it: so many times larger as their own is than the run's. */
function quickStep(run: AskedRun, shrinkage: number): number {
  return Math.min(1, (tuningOf(run).shrinkage * shrinkage) / run.specification.shrinkage);
}

/**
 * Trains one conditional quickly and stores what its validation rows say of it; the trees are let go. Twice at once it
 * stores the same bytes. It is short, so that one that is stopped begins anew.
 *
 * @param own what {@link runsOfTrial} says
 * @throws PipelineError `interrupted`, `training-failed`, `thread-lost`, `other-numerics`
 */
export async function screen(
  { store, trainer }: TrainingPorts,
  own: LbarnRun,
  trial: Trial,
  { signal, onProgress, isNew }: Pick<TaskContext, 'signal' | 'onProgress' | 'isNew'>,
): Promise<TaskOutcome> {
  requireSameNumerics(own);
  const { dimension } = trial;
  const name = lbarnNames.screening(own.id, keyOfTrial(trial));
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const outcome = await trainer.run(
    {
      stage: 'train',
      dimension,
      position: positionOf(own, dimension),
      options: boostingOptions(own),
      checkpoint: null,
    },
    // nats of one candidate are none of the run's
    { signal, onProgress: (progress) => onProgress?.({ ...progress, nats: null }) },
  );
  if (!outcome.finished) throw interruptedAfter(outcome.rounds, `dimension ${dimension}`);
  const valid = decodeCurves(outcome.bytes, name).valid!;
  const trees = placeOfGreatest(valid);
  const document: TrialDocument = {
    trees,
    validLogLikelihood: valid[trees]!,
    ...(isInFull(trial) && { curve: Array.from(valid) }),
  };
  const stored = await writeDocument(store, name, document);
  return { stored, progress: { ...noProgress, ...outcome.progress, nats: null } };
}

function isInFull({ candidate }: Trial): boolean {
  return candidate.of === 'leaves' && candidate.shrinkage !== undefined;
}
