import type { DatasetFacts } from '@orchard/contracts';
import { logRatesOfOthers, ownLogRates, trainingCounts } from '@orchard/dataset';
import { oncePer, sumOf } from '@orchard/numerics';
import { natsOfEach, sumOfTasks, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { folders, placeOf, tablesNames } from './artefacts.js';
import { membersOf, viewOf } from './members/member-run.js';
import { tablesRun } from './tables-run.js';
import { validNatsOf } from './variable-codec.js';

/**
 * The log-likelihood per validation row as variables are trained: the figure that the report and the summary show,
 * densities included. A variable that is not trained yet counts as its rates in the training rows. Members are
 * validated by a fold each, so theirs is the mean, and a variable counts as its rates in all rows but the one that is
 * judged. Threads report five times a second, and ask for it each time.
 */
export const risingLikelihood = oncePer((run: Run): RisingLikelihood => {
  const own = tablesRun(run);
  const { table, datasets } = own;
  const members = membersOf(own);
  const ofWhom =
    members === null
      ? `Of the ${String(datasets.valid.rows)} validation rows, before the refit.`
      : `The mean of ${String(members.count)} members, each on the fold that it does not learn from, before the refit. The summary has the mixture.`;
  // folds share all training and validation rows out
  const judged = members === null ? [datasets.valid] : [datasets.train, datasets.valid];
  const alone = table.variables.map((variable) => {
    const counts = trainingCounts(variable);
    const logRates = members === null ? ownLogRates(variable) : logRatesOfOthers(variable);
    const all = sumOf(counts);
    return all === 0 ? 0 : counts.reduce((sum, count, code) => sum + (count / all) * logRates[code]!, 0);
  });
  return sumOfTasks({
    called: folders.train,
    of: `${ofWhom} A column that is not trained yet counts as its rates in ${members === null ? 'the training rows' : 'the other rows'}.`,
    before: alone.reduce((sum, nats) => sum + nats, meanDensity(judged)),
    adds: (key, nats) => {
      const { index, member } = placeOf(key);
      const { valid } = viewOf(own, member).datasets;
      const rates = alone[index];
      return rates === undefined ? null : (nats / valid.rows - rates) / (members?.count ?? 1);
    },
  });
});

/** What densities add per row; nothing is known of data sets that were stored before it was counted. */
function meanDensity(datasets: readonly DatasetFacts[]): number {
  const rows = datasets.reduce((sum, one) => sum + one.rows, 0);
  return rows === 0 ? 0 : datasets.reduce((sum, { densityNats = 0 }) => sum + densityNats, 0) / rows;
}

/** Of stored variables. */
export const readNats = natsOfEach(
  ({ id }, key) => tablesNames.variable(id, key),
  (bytes, _, name) => validNatsOf(bytes, name),
);
