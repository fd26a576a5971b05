import { bestOfTasks, natsOfMeans, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { roundFrom, roundIn, roundName } from './rounds.js';

/** The likelihood of the mixture of a run's trees, up to the round by which the validation rows are likeliest so far. */
export function risingLikelihood({ datasets: { valid } }: Run): RisingLikelihood {
  const { rows } = valid;
  return bestOfTasks({
    ...{ called: 'rounds', rows },
    of: `Of the ${String(rows)} validation rows, by the trees up to the round that makes them likeliest so far: they choose how many are kept.`,
  });
}

/** What the file of a round tells. */
export const { natsIn, readNats } = natsOfMeans(
  ({ id }, key) => roundName(id, roundIn(key)),
  (bytes) => roundFrom(bytes).valid,
);
