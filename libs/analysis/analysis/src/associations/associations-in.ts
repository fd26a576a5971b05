import {
  associationsOf,
  coarseGroups,
  codeOffsets,
  groupsFor,
  inGroups,
  readCodes,
  strengthsOf,
} from '@orchard/dataset';
import { asTabular, type DensityModel } from '@orchard/model';

/** What depends on what, from sampled rows. */
export interface Associations {
  /** Mutual information of each pair in nats, entropies on the diagonal: element `i * columns + j`. */
  readonly nats: Float64Array;
  /**
   * The same from 0, independent, to 1, where one determines the other; of two normal columns it is their correlation.
   */
  readonly strengths: Float64Array;
}

/** How much each two columns of a model have to do with each other. */
export function associationsIn(asked: DensityModel, rows: number, seed: number): Associations {
  const model = asTabular(asked);
  const sampled = model.sample(rows, seed);
  const { variables } = model.table;
  const offsets = codeOffsets(model.table);
  const groups = variables.map((variable) => coarseGroups(variable, groupsFor(rows)));
  const columns = variables.map((_, index) =>
    inGroups(readCodes(sampled, offsets[index]!, offsets[index + 1]!), groups[index]!),
  );
  const nats = associationsOf(
    columns,
    groups.map(({ groups: many }) => many),
  );
  return { nats, strengths: strengthsOf(nats, variables.length) };
}
