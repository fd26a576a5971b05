export { Boosting } from './boosting.js';
export type { WeakLearner } from './fit-weak.js';
export { boostingRoundSchema, keptRounds, type BoostingRound } from './rounds.js';
