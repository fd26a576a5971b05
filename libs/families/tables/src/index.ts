export { restrictionsOf, type Given, type GivenRange } from './given.js';
export { TableModel } from './table-model.js';
export { tables } from './tables.js';
