export type { Curves } from './curves.js';
export { validateOptions } from './options.js';
export type { BoostingOptions } from './options.js';
export { refitConditional, trainConditional } from './train.js';
export type { TrainedConditional, TrainingHooks } from './train.js';
