export type { Curves } from './curves.js';
export type { DropoutOptions } from './dropout.js';
export { chooseLeaves, trialOptions, type LeafSearch, type TriedLeaves } from './leaf-search.js';
export type { BoostingOptions } from './options.js';
export { boostedTrees, ensembleAfter, roundsOf, startTreesOf } from './rounds.js';
export { refitConditional, trainConditional } from './train.js';
export type { TrainingHooks } from './train.js';
export type { TrainedConditional } from './trained-conditional.js';
