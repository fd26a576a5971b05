import { ownLogRates, trainingCounts } from '@orchard/dataset';
import { natsOfEach, sumOfTasks, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { folders, tablesNames } from './artefacts.js';
import { tablesRun } from './tables-run.js';
import { validNatsOf } from './variable-codec.js';

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
  return sumOfTasks({
    called: folders.train,
    of:
      `Of the codes of the ${String(rows)} validation rows: of a number its bin, without the density in it, and without the refit. ` +
      'A variable that is missing counts as its rates in the training rows.',
    before: alone.reduce((sum, nats) => sum + nats, 0),
    adds: (key, nats) => {
      const own = alone[Number(key)];
      return own === undefined ? null : nats / rows - own;
    },
  });
}

/** Of stored variables. */
export const readNats = natsOfEach(
  ({ id }, key) => tablesNames.variable(id, Number(key)),
  (bytes, _, name) => validNatsOf(bytes, name),
);
