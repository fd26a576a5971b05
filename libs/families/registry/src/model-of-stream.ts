import { ChowLiuTable } from '@orchard/forests';
import { mixtureOf } from '@orchard/members';
import { untold, type DensityModel } from '@orchard/model';
import {
  codeForestsOf,
  modelOfStream as modelOfBits,
  sharesOf,
  specificationOf,
  type OnlineStream,
} from '@orchard/online-forest';

/** The model of a stream so far: of 0 and 1 one file of forests, of categories a mixture of trees of a table. */
export function modelOfStream(stream: OnlineStream): DensityModel {
  const { table } = stream;
  if (table === undefined) return modelOfBits(stream);
  const members = codeForestsOf(stream).map(
    (forest) => new ChowLiuTable({ table, ...forest, specification: null, likelihoods: untold }),
  );
  const specification = specificationOf(stream);
  return mixtureOf({ members, weights: sharesOf(stream), specification, likelihoods: untold });
}
