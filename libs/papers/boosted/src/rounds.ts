import { boostingRoundSchema, keptRounds, type BoostingRound } from '@orchard/density-boosting';
import { chowLiuCodec, ChowLiuTable } from '@orchard/forests';
import { Steps, type StoredStep } from '@orchard/pipeline';
import { mixtureOf, type Mixture } from '@orchard/members';
import { ForestMixture, forestMixtureCodec, ForestMixtureModel } from '@orchard/mixture';
import type { DensityModel, ModelHead } from '@orchard/model';
import { boostedSpecification } from './boosted-run.js';
import { BayesianNetwork, bayesianNetworkCodecs } from './network/bayesian-network.js';
import { edgesOf } from './network/decision-tables.js';
import { BayesianNetworkTable } from './tables/bayesian-network-table.js';

/** A round with its tree, of bits a mixture of one, or its network. */
export type StoredRound = StoredStep<BoostingRound, DensityModel>;

export const rounds = new Steps<BoostingRound, DensityModel>({
  folder: 'rounds',
  letters: { step: 'r' },
  first: 1,
  facts: boostingRoundSchema,
  codec: forestMixtureCodec,
  otherCodecs: [...bayesianNetworkCodecs, chowLiuCodec],
  courseOf: (run) => ({ chains: 1, steps: boostedSpecification(run).components }),
  isLast: ({ isLast }) => isLast,
});

/** The model of a run: of trees of bits one file of forests, of others a mixture of models. */
export function mixtureOfRounds(
  all: readonly StoredRound[],
  head: Omit<ModelHead, 'family'>,
): ForestMixtureModel | Mixture {
  const { weights, kept } = keptRounds(all);
  const models = kept.map(({ model }) => model);
  const isOfTrees = models.every((model) => model instanceof ForestMixtureModel);
  if (isOfTrees) return new ForestMixtureModel(head, new ForestMixture(weights, models.map(treeOf)));
  return mixtureOf({ members: models, weights, specification: head.specification, likelihoods: head.likelihoods });
}

/** The same model as a file of its own. */
export function withHead(head: Omit<ModelHead, 'family'>, model: DensityModel): DensityModel {
  if (model instanceof BayesianNetwork) return new BayesianNetwork(head, model.tables);
  const { specification, likelihoods } = head;
  if (model instanceof BayesianNetworkTable)
    return new BayesianNetworkTable({ specification, likelihoods, table: model.table }, model.parts);
  if (model instanceof ChowLiuTable) {
    const { table, forest, information } = model;
    return new ChowLiuTable({ specification, likelihoods, table, forest, information });
  }
  return new ForestMixtureModel(head, (model as ForestMixtureModel).mixture);
}

/** Edges of a round's tree or network. */
export function edgesIn(model: DensityModel): number {
  if (model instanceof BayesianNetwork) return edgesOf(model.tables);
  if (model instanceof BayesianNetworkTable) return edgesOf(model);
  const { parents } = model instanceof ChowLiuTable ? model : treeOf(model as ForestMixtureModel);
  return parents.filter((parent) => parent >= 0).length;
}

/** The tree of a round's model. */
export function treeOf({ mixture }: ForestMixtureModel): ForestMixture['components'][number] {
  return mixture.components[0]!;
}
