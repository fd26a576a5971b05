export { designOf, type Design } from './design.js';
export { fitPath, type LogisticWeights, type PathOptions } from './fit-path.js';
export { lossOf } from './loss.js';
export { attachSorted, sortRows, type SharedSorted, type SortedRows } from './sorted-rows.js';
export { fitMixedPath, type MixedWeights, type Tying } from './fit-mixed-path.js';
export { mixedDesignOf, type MixedDesign, type RowShares } from './mixed-design.js';
export { fitClasses } from './fit-classes.js';
export { keepPredictors } from './keep-predictors.js';
