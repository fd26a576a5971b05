import { bestOfTasks, natsOfMeans, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { mostExact } from './every-set.js';
import { partitionSpecification } from './partition-run.js';
import { placeIn, stepFrom, stepName, stepsFolder } from './steps.js';

/** The likelihood, or its bound, of the best experts so far, of all steps of all runs of EM. */
export function risingLikelihood(run: Run): RisingLikelihood {
  const { train, valid } = run.datasets;
  const isBound = partitionSpecification(run).experts > mostExact(train.dimensions);
  return bestOfTasks({
    ...{ called: stepsFolder, rows: valid.rows },
    of:
      `Of the ${String(valid.rows)} validation rows, by the step of EM that makes them likeliest so far: they choose among all of them.` +
      (isBound ? ' Of so many experts it is a lower bound.' : ''),
  });
}

/** What the file of a step tells. */
export const { natsIn, readNats } = natsOfMeans(
  ({ id }, key) => stepName(id, placeIn(key)),
  (bytes) => stepFrom(bytes).valid,
);
