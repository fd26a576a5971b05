export { attachRows, shareRows, type CountedRows, type SharedRows } from './counted-rows.js';
export { ForestMixture } from './forest-mixture.js';
export { forestMixtureCodec, ForestMixtureModel, mixtureOfProducts } from './forest-mixture-model.js';
export { learnProducts, type EmOptions } from './learn-products.js';
export { mixture } from './mixture.js';
