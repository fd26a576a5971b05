import { isExact, isExplained, isTabular, type DensityModel } from '@orchard/model';
import { ExactMixture, ExplainedMixture, Mixture, type MixtureParts } from './mixture.js';
import { TableMixture } from './table-mixture.js';

/**
 * A mixture that answers all that each of its members can: of models of a table it is a {@link TableMixture}.
 * @throws ModelError `invalid-network` where members or weights do not fit together
 */
export function mixtureOf(parts: MixtureParts): Mixture {
  const areAll = (can: (member: DensityModel) => boolean): boolean => parts.members.every((member) => can(member));
  if (areAll(isTabular)) return new TableMixture(parts);
  if (areAll(isExplained)) return new ExplainedMixture(parts);
  return areAll(isExact) ? new ExactMixture(parts) : new Mixture(parts);
}
