export { mixtureCodec } from './mixture-codec.js';
export { logSumExp } from './log-sum-exp.js';
export { mixtureOf, MIXTURE_FAMILY, Mixture, type MixtureParts, type MixtureSummary } from './mixture.js';
