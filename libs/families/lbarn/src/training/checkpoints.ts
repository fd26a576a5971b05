import { listAll, type ObjectStore } from '@orchard/storage';
import { numberIn } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { lbarnNames } from '../artefacts/artefacts.js';
import { decodeConditional } from '../artefacts/conditional-codec.js';
import type { LbarnRun } from '../run/lbarn-run.js';

/**
 * The newest checkpoint of a dimension that can be read, or null. A damaged one is deleted: a checkpoint is a
 * convenience, and training from an older one ends in the same bytes.
 */
export async function latestCheckpoint(
  store: ObjectStore,
  run: LbarnRun,
  dimension: number,
): Promise<Uint8Array | null> {
  for (const round of (await checkpointRounds(store, run, dimension)).reverse()) {
    const name = lbarnNames.checkpoint(run, dimension, round);
    try {
      const bytes = await store.get(name);
      decodeConditional(bytes, name);
      return bytes;
    } catch (error) {
      if (!isRefusal(error, 'damaged-artefact', 'damaged')) throw error;
      await store.delete(name);
    }
  }
  return null;
}

/** Stores a checkpoint, then deletes those of earlier rounds. */
export async function putCheckpoint(
  store: ObjectStore,
  run: LbarnRun,
  dimension: number,
  round: number,
  bytes: Uint8Array,
): Promise<void> {
  await store.put(lbarnNames.checkpoint(run, dimension, round), bytes);
  for (const earlier of await checkpointRounds(store, run, dimension)) {
    if (earlier < round) await store.delete(lbarnNames.checkpoint(run, dimension, earlier));
  }
}

/** Deletes the checkpoints of one dimension, or of all. */
export async function deleteCheckpoints(store: ObjectStore, run: LbarnRun, dimension?: number): Promise<void> {
  const prefix =
    dimension === undefined ? lbarnNames.checkpoints(run) : lbarnNames.dimensionCheckpoints(run, dimension);
  for await (const { name } of listAll(store, prefix)) await store.delete(name);
}

/** Ascending. */
async function checkpointRounds(store: ObjectStore, run: LbarnRun, dimension: number): Promise<number[]> {
  const prefix = lbarnNames.dimensionCheckpoints(run, dimension);
  const rounds: number[] = [];
  for await (const { name } of listAll(store, prefix)) {
    const round = numberIn(name, prefix);
    if (round !== null) rounds.push(round);
  }
  return rounds.sort((a, b) => a - b);
}
