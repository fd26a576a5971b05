import { Mixture, mixtureOf } from '@orchard/members';
import { isCompactable, type DensityModel } from '@orchard/model';

/** The model with rounded trees, in its members too; the same one where it has no trees that are rounded. */
export function compactModel(model: DensityModel): DensityModel {
  if (isCompactable(model)) return model.compacted();
  if (!(model instanceof Mixture)) return model;
  const { members, weights, specification, likelihoods } = model;
  return mixtureOf({ members: members.map(compactModel), weights, specification, likelihoods });
}
