import { ownLogRates, trainingCounts } from '@orchard/dataset';
import { concurrently, type RisingLikelihood, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { tablesNames } from './artefacts.js';
import { tablesRun } from './tables-run.js';
import { validNatsOf } from './variable-codec.js';

const readsAtOnce = 8;

/**
 * The likelihood of a table's variables as they come in. Variables differ: one that is missing counts as a column on its own tells of rows
 * that have each of its codes as often as the training rows do.
 */
export function risingLikelihood(run: Run): RisingLikelihood {
  const { table, datasets } = tablesRun(run);
  const { rows } = datasets.valid;
  const alone = table.variables.map((variable) => {
    const [counts, logRates] = [trainingCounts(variable), ownLogRates(variable)];
    const all = counts.reduce((sum, count) => sum + count, 0);
    return all === 0 ? 0 : counts.reduce((sum, count, code) => sum + (count / all) * logRates[code]!, 0);
  });
  return {
    of:
      `Of the codes of the ${String(rows)} validation rows: of a number its bin, without the density in it, and without the refit. ` +
      'A variable that is missing counts as its rates in the training rows.',
    before: alone.reduce((sum, nats) => sum + nats, 0),
    rise: (key, nats) => {
      const own = alone[Number(key)];
      return own === undefined ? null : nats / rows - own;
    },
  };
}

/** Summed validation nats of stored variables, by key. */
export async function readNats(
  store: ObjectStore,
  run: Run,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const nats = await concurrently(keys, readsAtOnce, async (key) => {
    const name = tablesNames.variable(run.id, Number(key));
    return [key, validNatsOf(await store.get(name), name)] as const;
  });
  return new Map(nats);
}
