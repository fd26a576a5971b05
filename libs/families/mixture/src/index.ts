export { ForestMixture } from './forest-mixture.js';
export { forestMixtureCodec, ForestMixtureModel, mixtureOfProducts } from './forest-mixture-model.js';
export { mixture } from './mixture.js';
