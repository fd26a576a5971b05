import { contentId, type NetworkChoice, type SelectionDocument } from '@orchard/contracts';
import {
  interruptedAfter,
  requireSameNumerics,
  trainFromCheckpoints,
  type TaskOutcome,
  type TrainingHooks,
} from '@orchard/pipeline';
import { lbarnNames, type Place } from '../artefacts/artefacts.js';
import { decodeConditional } from '../artefacts/conditional-codec.js';
import { positionOf, type LbarnRun } from '../run/lbarn-run.js';
import type { TrainingPorts } from './train-dimension.js';
import { boostingOptions } from './training-data.js';

/**
 * The two ways of the pooled rows: new leaf values for the trees that there are, or as many new trees. They are kinds
 * of tasks.
 */
export const refitStages = ['refit', 'retrain'] as const;

export type RefitStage = (typeof refitStages)[number];

/** What has to be done for a network before it is assembled; null where its trees stay as they were trained. */
export function stageOf({ refit }: Pick<NetworkChoice, 'refit'>): RefitStage | null {
  return refit === 'again' ? 'retrain' : refit ? 'refit' : null;
}

/** Where a stage stores a dimension. */
export function refittedName(
  place: Place,
  stage: RefitStage,
  { id }: { readonly id: string },
  dimension: number,
): string {
  return (stage === 'refit' ? lbarnNames.refit : lbarnNames.retrained)(place, id, dimension);
}

/**
 * How many trees of each dimension are refitted, or trained again: as many as the longest of a run's selections keeps.
 * Fewer of either are its prefix, so one pass serves all selections.
 */
export interface RefitPlan {
  /** Content id of the rounds. */
  readonly id: string;
  /** By stored dimension. */
  readonly rounds: readonly number[];
}

export function planRefit(selections: readonly SelectionDocument[]): RefitPlan {
  const rounds = selections[0]!.rounds.map((_, dimension) =>
    selections.reduce((longest, selection) => Math.max(longest, selection.rounds[dimension]!), 0),
  );
  return { id: contentId(rounds), rounds };
}

/**
 * Refits the first `rounds` trees of one stored conditional on training and validation rows pooled, or trains as many
 * anew on them, and stores the result under the plan. Does nothing where it is stored. To train again takes as long as
 * training does, and has checkpoints as that has; a refit takes a fraction of it, and begins anew where it is stopped.
 *
 * @throws PipelineError `interrupted`, `damaged-artefact`, `training-failed`, `thread-lost`, `other-numerics`
 * @throws StorageError `missing` where the conditional is not trained; `conflict`
 */
export async function refitDimension(
  { store, trainer }: TrainingPorts,
  run: LbarnRun,
  plan: { readonly id: string },
  dimension: number,
  rounds: number,
  hooks: TrainingHooks = {},
  stage: RefitStage = 'refit',
): Promise<TaskOutcome> {
  requireSameNumerics(run);
  const position = positionOf(run, dimension);
  const name = refittedName(run, stage, plan, dimension);
  const source = lbarnNames.conditional(run, dimension);
  const task = { dimension, position, options: boostingOptions(run), name: source, rounds };
  if (stage === 'retrain')
    return trainFromCheckpoints(
      // a run that goes on plans this as new, though it may be stored or have checkpoints
      { ...hooks, store, isNew: false },
      {
        name,
        checkpoints: lbarnNames.retrainCheckpoints(run, plan.id, dimension),
        check: decodeConditional,
        what: `dimension ${dimension}`,
        train: async (checkpoint, own) =>
          trainer.run({ ...task, stage, structures: await store.get(source), checkpoint }, own),
      },
    );
  const { signal, onProgress, isNew = false } = hooks;
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const structures = await store.get(source);
  const {
    bytes,
    finished,
    progress,
    rounds: done,
  } = await trainer.run({ ...task, stage, structures }, { signal, onProgress });
  if (!finished) throw interruptedAfter(done, `dimension ${dimension}`);
  return { stored: await store.put(name, bytes), progress };
}
