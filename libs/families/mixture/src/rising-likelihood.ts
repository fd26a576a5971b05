import { openModel } from '@orchard/model';
import { bestOfTasks, natsOfMeans, type RisingLikelihood, type Run } from '@orchard/pipeline';
import { candidateIn, candidateName, candidatesFolder } from './artefacts.js';
import { forestMixtureCodec } from './forest-mixture-model.js';

/** The likelihood of the best mixture among those that runs of EM have ended in so far. */
export function risingLikelihood({ datasets: { valid } }: Run): RisingLikelihood {
  const { rows } = valid;
  return bestOfTasks({
    ...{ called: candidatesFolder, rows },
    of: `Of the ${String(rows)} validation rows, by the run of EM that makes them likeliest so far: they choose among all of them.`,
  });
}

/** What the file of a candidate tells. */
export const { natsIn, readNats } = natsOfMeans(
  ({ id }, key) => candidateName(id, candidateIn(key)),
  (bytes) => openModel(bytes, [forestMixtureCodec]).likelihoods.valid!,
);
