import { listAll, type ObjectStore } from '@orchard/storage';
import { artefactNames, numberIn } from './artefact-names.js';
import { decodeConditional } from './conditional-codec.js';
import { PipelineError } from './errors.js';
import type { Run } from './run.js';

/**
 * The newest checkpoint of a dimension that can be read, or null. A damaged one is deleted: a checkpoint is a
 * convenience, and training from an older one ends in the same bytes.
 */
export async function latestCheckpoint(store: ObjectStore, run: Run, dimension: number): Promise<Uint8Array | null> {
  for (const round of (await checkpointRounds(store, run, dimension)).reverse()) {
    const name = artefactNames.checkpoint(run.id, dimension, round);
    const bytes = await store.get(name);
    try {
      decodeConditional(bytes, name);
      return bytes;
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      await store.delete(name);
    }
  }
  return null;
}

/** The round of the newest checkpoint of every dimension that has one: a listing of the run's. */
export async function newestCheckpoints(store: ObjectStore, run: Run): Promise<ReadonlyMap<number, number>> {
  const newest = new Map<number, number>();
  const prefix = artefactNames.checkpoints(run.id);
  for await (const { name } of listAll(store, prefix)) {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const [dimension, round] = [numberIn(folder.slice(0, -1), prefix), numberIn(name, folder)];
    if (dimension !== null && round !== null) newest.set(dimension, Math.max(round, newest.get(dimension) ?? 0));
  }
  return newest;
}

/** Stores a checkpoint, then deletes those of earlier rounds. */
export async function putCheckpoint(
  store: ObjectStore,
  run: Run,
  dimension: number,
  round: number,
  bytes: Uint8Array,
): Promise<void> {
  await store.put(artefactNames.checkpoint(run.id, dimension, round), bytes);
  for (const earlier of await checkpointRounds(store, run, dimension)) {
    if (earlier < round) await store.delete(artefactNames.checkpoint(run.id, dimension, earlier));
  }
}

/** Deletes the checkpoints of one dimension, or of all. */
export async function deleteCheckpoints(store: ObjectStore, run: Run, dimension?: number): Promise<void> {
  const prefix =
    dimension === undefined ? artefactNames.checkpoints(run.id) : artefactNames.dimensionCheckpoints(run.id, dimension);
  for await (const { name } of listAll(store, prefix)) await store.delete(name);
}

/** Ascending. */
async function checkpointRounds(store: ObjectStore, run: Run, dimension: number): Promise<number[]> {
  const prefix = artefactNames.dimensionCheckpoints(run.id, dimension);
  const rounds: number[] = [];
  for await (const { name } of listAll(store, prefix)) {
    const round = numberIn(name, prefix);
    if (round !== null) rounds.push(round);
  }
  return rounds.sort((a, b) => a - b);
}
