export { associationsOf, coarseGroups, groupsFor, inGroups, strengthsOf } from './associations.js';
export { ownLogRates } from './reporting/own-rates.js';
export { meanLogDensities, modelOf, type VariableFigures } from './assemble.js';
export { PARTICLES } from './completion.js';
export { expectedWords } from './expected-words.js';
export { restrictionsOf, type Given, type GivenRange } from './given.js';
export { rowLogDensities, type RowLogDensities } from './row-log-densities.js';
export { TableModel, tablesFamily } from './table-model.js';
export { tables } from './tables.js';
