import { ownLogRates, trainingCounts } from '@orchard/dataset';
import { natsOfEach, sumOfTasks, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { folders, placeOf, tablesNames } from './artefacts.js';
import { membersOf, viewOf } from './members/member-run.js';
import { tablesRun } from './tables-run.js';
import { validNatsOf } from './variable-codec.js';

/**
 * The likelihood of a table's variables as they come in. Variables differ: one that is missing counts as a column on its own tells of rows
 * that have each of its codes as often as the training rows do. Members are validated by a fold each, so that of them it is their mean.
 */
export function risingLikelihood(run: Run): RisingLikelihood {
  const own = tablesRun(run);
  const { table, datasets } = own;
  const members = membersOf(own);
  const ofWhom =
    members === null
      ? `Of the codes of the ${String(datasets.valid.rows)} validation rows:`
      : `The mean of ${String(members.count)} members, each on the codes of the fold that it does not learn from, so that what they are worth together is in the summary:`;
  const alone = table.variables.map((variable) => {
    const [counts, logRates] = [trainingCounts(variable), ownLogRates(variable)];
    const all = counts.reduce((sum, count) => sum + count, 0);
    return all === 0 ? 0 : counts.reduce((sum, count, code) => sum + (count / all) * logRates[code]!, 0);
  });
  return sumOfTasks({
    called: folders.train,
    of:
      `${ofWhom} of a number its bin, without the density in it, and without the refit. ` +
      'A variable that is missing counts as its rates in the training rows.',
    before: alone.reduce((sum, nats) => sum + nats, 0),
    adds: (key, nats) => {
      const { index, member } = placeOf(key);
      const { valid } = viewOf(own, member).datasets;
      const rates = alone[index];
      return rates === undefined ? null : (nats / valid.rows - rates) / (members?.count ?? 1);
    },
  });
}

/** Of stored variables. */
export const readNats = natsOfEach(
  ({ id }, key) => tablesNames.variable(id, key),
  (bytes, _, name) => validNatsOf(bytes, name),
);
