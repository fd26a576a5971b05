import { contentId, type NetworkChoice, type SelectionDocument } from '@orchard/contracts';
import { interruptedAfter, requireSameNumerics, type TaskOutcome, type TrainingHooks } from '@orchard/pipeline';
import { lbarnNames, type Place } from '../artefacts/artefacts.js';
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
 * anew on them, and stores the result under the plan. Does nothing where it is stored. Neither has checkpoints: a refit
 * takes seconds, and to train again takes less than the training before it, which went beyond the rounds that were
 * chosen. What is stopped begins its dimension anew.
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
  { signal, onProgress, isNew = false }: TrainingHooks = {},
  stage: RefitStage = 'refit',
): Promise<TaskOutcome> {
  requireSameNumerics(run);
  const position = positionOf(run, dimension);
  const name = refittedName(run, stage, plan, dimension);
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const source = lbarnNames.conditional(run, dimension);
  const structures = await store.get(source);
  const {
    bytes,
    finished,
    progress,
    rounds: done,
  } = await trainer.run(
    { stage, dimension, position, options: boostingOptions(run), structures, name: source, rounds },
    { signal, onProgress },
  );
  if (!finished) throw interruptedAfter(done, `dimension ${dimension}`);
  return { stored: await store.put(name, bytes), progress };
}
