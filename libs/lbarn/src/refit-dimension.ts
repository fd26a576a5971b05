import { contentId, type SelectionDocument } from '@orchard/contracts';
import { requireSameNumerics, type TaskOutcome } from '@orchard/pipeline';
import { lbarnNames } from './artefacts.js';
import { positionOf, type LbarnRun } from './lbarn-run.js';
import { interruptedAt, type DimensionHooks, type TrainingPorts } from './train-dimension.js';
import { boostingOptions } from './training-data.js';

/**
 * How many trees of each dimension are refitted: as many as the longest of a run's selections keeps. A refit of fewer
 * is its prefix, so one pass serves all selections.
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
 * Refits the first `rounds` trees of one stored conditional on training and validation rows pooled, and stores the result
 * under the plan. Does nothing where it is stored. A refit takes seconds, so it has no checkpoints.
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
  { signal, onProgress, isNew = false }: DimensionHooks = {},
): Promise<TaskOutcome> {
  requireSameNumerics(run);
  const position = positionOf(run, dimension);
  const name = lbarnNames.refit(run, plan.id, dimension);
  if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
  const source = lbarnNames.conditional(run, dimension);
  const structures = await store.get(source);
  const {
    bytes,
    finished,
    progress,
    rounds: done,
  } = await trainer.run(
    { stage: 'refit', dimension, position, options: boostingOptions(run), structures, name: source, rounds },
    { signal, onProgress },
  );
  if (!finished) throw interruptedAt(dimension, done);
  return { stored: await store.put(name, bytes), progress };
}
