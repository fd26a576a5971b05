export { fitVariable, lawsOf } from './fit-variable.js';
export { Gate } from './gate.js';
export { type Grid, neighboursBefore, Predictors } from './grid-neighbours.js';
export {
  countTables,
  gridParents,
  MOST_PARENTS,
  natsOfTables,
  networkOfTables,
  type GridTables,
} from './grid-tables.js';
export { Interval } from './interval.js';
export { type ColumnOfComponents, membersOf, weightsOfComponents } from './mixed-members.js';
export { Sparn, sparnCodec } from './sparn-model.js';
export { sequenceCodec, SparnSequence } from './sparn-sequence.js';
export { attachTable, shareTable, type SharedTable } from './shared-table.js';
export { SparnTable } from './sparn-table.js';
export { type SparseWeights, weightsOfColumns } from './sparse-weights.js';
