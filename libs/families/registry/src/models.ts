import { cutsetCodec } from '@orchard/cutset/model';
import { chowLiuCodec } from '@orchard/forests';
import { mixtureCodec } from '@orchard/members';
import { forestMixtureCodec } from '@orchard/mixture/model';
import { marginalsCodec } from '@orchard/marginals/model';
import { networkCodec, openModel as openModelOf, type DensityModel, type ModelCodec } from '@orchard/model';
import { codecs as codecsOfPapers } from '@orchard/papers/codecs';
import { sequenceCodec, sparnCodec } from '@orchard/sparse-network';
import { tablesCodec } from '@orchard/tables/model';

const ofOne: readonly ModelCodec[] = [
  networkCodec,
  tablesCodec,
  marginalsCodec,
  chowLiuCodec,
  cutsetCodec,
  forestMixtureCodec,
  sparnCodec,
  sequenceCodec,
  ...codecsOfPapers,
];
const codecs: readonly ModelCodec[] = [...ofOne, mixtureCodec(ofOne)];

/** The kinds of models that this release reads. */
export const families: readonly string[] = codecs.map(({ family }) => family);

/**
 * Reads a model file of any family, without what trains them: it runs in browsers too.
 *
 * @param bytes of a `network.msgpack`, as `orchard train` and `orchard fetch` write it
 * @throws ModelError where the bytes are not a model file, damaged, or of a family or version that this release does
 *   not know
 */
export function openModel(bytes: Uint8Array): DensityModel {
  return openModelOf(bytes, codecs);
}
