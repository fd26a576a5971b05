/**
 * What `@orchard/model` exports on npm: reading and asking the models of every family, without what trains them.
 *
 * @packageDocumentation
 */
export { Compositional, PlacedCompositional } from '@orchard/compositional/model';
export { Cutset } from '@orchard/cutset/model';
export { BitMatrix, valuesOf } from '@orchard/dataset';
export { ChowLiu } from '@orchard/forests';
export { ForestMixtureModel } from '@orchard/mixture/model';
export { Marginals } from '@orchard/marginals/model';
export { Mixture, TableMixture } from '@orchard/members';
export {
  isBound,
  isExact,
  isExplained,
  isMostProbable,
  isOrdered,
  ModelError,
  Network,
  toValues,
  type BinaryMatrix,
  type CompleteOptions,
  type Completion,
  type DensityModel,
  type Exact,
  type Explained,
  type HeldOutGains,
  type Likelihoods,
  type ModelErrorCode,
  type ModelHead,
  type ModelSummary,
  type NetworkSummary,
  type Ordered,
  type Score,
} from '@orchard/model';
export { Partition, PartitionBound, TablePartition } from '@orchard/partition/model';
export { families, openModel } from '@orchard/registry/models';
export { Sparn, SparnSequence } from '@orchard/sparse-network';
export { TableModel } from '@orchard/tables/model';
