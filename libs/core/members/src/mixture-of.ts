import { isExact, isExplained, isTabular, type DensityModel } from '@orchard/model';
import { ExactMixture, ExplainedMixture, Mixture, type MixtureParts } from './mixture.js';
import { TableMixture } from './table-mixture.js';

/**
 * A mixture that answers what each of its members can, the first of these that all can: about the cells of a table,
 * what predicts a column, or marginals.
 * @throws ModelError `invalid-network` where members or weights do not fit together
 */
export function mixtureOf(parts: MixtureParts): Mixture {
  const areAll = (can: (member: DensityModel) => boolean): boolean => parts.members.every((member) => can(member));
  if (areAll(isTabular)) return new TableMixture(parts);
  if (areAll(isExplained)) return new ExplainedMixture(parts);
  return areAll(isExact) ? new ExactMixture(parts) : new Mixture(parts);
}
