import { bestOfTasks, natsOfMeans, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { placeIn, stepFrom, stepName, stepsFolder } from './steps.js';

/** The likelihood of the best experts so far, of all steps of all runs of EM: what a run begins with may be chosen too. */
export function risingLikelihood({ datasets: { valid } }: Run): RisingLikelihood {
  const { rows } = valid;
  return bestOfTasks({
    ...{ called: stepsFolder, rows },
    of: `Of the ${String(rows)} validation rows, by the step of EM that makes them likeliest so far: they choose among all of them.`,
  });
}

/** What the file of a step tells. */
export const { natsIn, readNats } = natsOfMeans(
  ({ id }, key) => stepName(id, placeIn(key)),
  (bytes) => stepFrom(bytes).valid,
);
