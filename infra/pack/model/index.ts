/**
 * What `@orchard/model` exports on npm: reading and asking the models of every family, without what trains them.
 *
 * @packageDocumentation
 */
import { decisionNetworkCodec } from '@orchard/boosted/model';
import { chowLiuCodec } from '@orchard/chow-liu/model';
import { compositionalCodec } from '@orchard/compositional/model';
import { cutsetCodec } from '@orchard/cutset/model';
import { forestMixtureCodec } from '@orchard/mixture/model';
import { marginalsCodec } from '@orchard/marginals/model';
import { mixtureCodec } from '@orchard/members';
import { networkCodec, openModel as openModelOf, type DensityModel, type ModelCodec } from '@orchard/model';
import { partitionCodec } from '@orchard/partition/model';
import { sequenceCodec, sparnCodec } from '@orchard/sparn/model';
import { tablesCodec } from '@orchard/tables/model';

export { ChowLiu } from '@orchard/chow-liu/model';
export { Compositional } from '@orchard/compositional/model';
export { Cutset } from '@orchard/cutset/model';
export { BitMatrix, valuesOf } from '@orchard/dataset';
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
export { Partition, PartitionBound } from '@orchard/partition/model';
export { Sparn, SparnSequence } from '@orchard/sparn/model';
export { TableModel } from '@orchard/tables/model';

const ofOne: readonly ModelCodec[] = [
  networkCodec,
  tablesCodec,
  marginalsCodec,
  chowLiuCodec,
  cutsetCodec,
  forestMixtureCodec,
  decisionNetworkCodec,
  sparnCodec,
  sequenceCodec,
  compositionalCodec,
  partitionCodec,
];
const codecs: readonly ModelCodec[] = [...ofOne, mixtureCodec(ofOne)];

/** The kinds of models that this release reads. */
export const families: readonly string[] = codecs.map(({ family }) => family);

/**
 * Reads a model file of any family.
 * @param bytes of a `network.msgpack`, as `orchard train` and `orchard fetch` write it
 * @throws ModelError where the bytes are not a model file, damaged, or of a family or version that this release does
 *   not know
 */
export function openModel(bytes: Uint8Array): DensityModel {
  return openModelOf(bytes, codecs);
}
