export { select, type SelectionOptions } from './select.js';
export { selectionMethods, type Selection, type SelectionMethod, type SelectionPath } from './selection.js';
export type { DimensionCurves } from './curves.js';
