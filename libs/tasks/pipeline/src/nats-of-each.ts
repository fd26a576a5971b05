import { concurrently } from './concurrently.js';
import type { Family } from './family.js';
import type { Run } from './run.js';

const readsAtOnce = 8;

/**
 * Reads the likelihoods of stored tasks, where the artefact of each has its own.
 *
 * @param nameOf the artefact of a task, by its key
 * @param natsIn summed nats over the validation rows of its bytes
 */
export function natsOfEach(
  nameOf: (run: Run, key: string) => string,
  natsIn: (bytes: Uint8Array, run: Run, name: string) => number,
): NonNullable<Family['readNats']> {
  return async (store, run, keys) => {
    const nats = await concurrently(keys, readsAtOnce, async (key) => {
      const name = nameOf(run, key);
      return [key, natsIn(await store.get(name), run, name)] as const;
    });
    return new Map(nats);
  };
}

/** The likelihood in an artefact whose validation rows are all of the run's, and how stored ones are read. */
export interface NatsOfMeans {
  readonly natsIn: (bytes: Uint8Array, run: Run) => number;
  readonly readNats: NonNullable<Family['readNats']>;
}

/**
 * The same, where each artefact has a mean.
 *
 * @param meanIn mean nats per validation row of its bytes
 */
export function natsOfMeans(
  nameOf: (run: Run, key: string) => string,
  meanIn: (bytes: Uint8Array) => number,
): NatsOfMeans {
  const natsIn: NatsOfMeans['natsIn'] = (bytes, { datasets }) => meanIn(bytes) * datasets.valid.rows;
  return { natsIn, readNats: natsOfEach(nameOf, natsIn) };
}
