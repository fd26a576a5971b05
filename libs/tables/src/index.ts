export { meanLogDensities, modelOf, type VariableFigures } from './assemble.js';
export type { TableCompletion } from './completion.js';
export { TableModel, tablesFamily } from './table-model.js';
export { tables } from './tables.js';
