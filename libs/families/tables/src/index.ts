export { modelOf } from './assemble.js';
export { restrictionsOf, type Given, type GivenRange } from './given.js';
export { TableModel, tablesFamily } from './table-model.js';
export { tables } from './tables.js';
