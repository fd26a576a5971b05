export { mixtureCodec } from './mixture-codec.js';
export { mixtureOf } from './mixture-of.js';
export { Mixture, type MixtureParts, type MixtureSummary } from './mixture.js';
export { RuledMixture } from './ruled-mixture.js';
export { underKeptRules, underRules } from './ruled-rows.js';
export { TableMixture } from './table-mixture.js';
