/** How experts are learned, without a run: what repeats the thesis' synthetic experiments (test/paper). */
export { Experts, type ExpertParts } from './experts.js';
export { startOf, stepOf, type EmStep } from './learn-experts.js';
export { PartitionBound } from './partition-bound.js';
export { Pursuit } from './pursuit.js';
export { productsOfSets, startOfTable, stepOfTable, TableClasses } from './table-experts/index.js';
