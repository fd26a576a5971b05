export { ForestMixture } from './forest-mixture.js';
export { ForestMixtureModel, mixtureOfProducts } from './forest-mixture-model.js';
export { learnProducts, type EmOptions } from './learn-products.js';
export { mixture } from './mixture.js';
