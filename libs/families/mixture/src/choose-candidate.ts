import { openModel, type JsonValue } from '@orchard/model';
import { judgedModel, type Run, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { candidateName } from './artefacts.js';
import { forestMixtureCodec, ForestMixtureModel } from './forest-mixture-model.js';
import { candidatesOf, mixtureSpecification, type Candidate } from './mixture-run.js';

/** A candidate, and how good it is. */
export interface Tried extends Candidate {
  /** Of EM, to the mixture that was kept. */
  readonly step: number;
  /** Mean nats of the validation rows. */
  readonly valid: number;
}

/** The mixture of a run, and what all candidates were worth. */
export interface Chosen {
  readonly model: ForestMixtureModel;
  readonly tried: readonly Tried[];
  /** The number of the candidate that it is. */
  readonly chosen: number;
}

/** The candidate by which the validation rows are likeliest, and what all were worth. */
export async function chooseCandidate(store: ObjectStore, run: Run, splits: Splits): Promise<Chosen> {
  const count = candidatesOf(mixtureSpecification(run)).length;
  const tried: Tried[] = [];
  let best: { readonly mixture: ForestMixtureModel['mixture']; readonly candidate: number } | null = null;
  for (let candidate = 0; candidate < count; candidate++) {
    const bytes = await store.get(candidateName(run.id, candidate));
    const { specification, mixture } = openModel(bytes, [forestMixtureCodec]) as ForestMixtureModel;
    tried.push(specification as unknown as Tried);
    if (best === null || tried[candidate]!.valid > tried[best.candidate]!.valid) best = { mixture, candidate };
  }
  const { mixture, candidate } = best!;
  const { dimensions, names, shape } = splits.train;
  const specification = { runId: run.id, ...run.specification, chosen: { ...tried[candidate] } } as JsonValue;
  const head = { dimensions, names, shape, specification };
  const model = judgedModel((likelihoods) => new ForestMixtureModel({ ...head, likelihoods }, mixture), splits);
  return { model, tried, chosen: candidate };
}
