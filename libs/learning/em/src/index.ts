export { aggregateTemplates } from './aggregate-templates.js';
export { bisectRows, type ClusterTree } from './bisect-rows.js';
export type { Products } from './prepared-products.js';
export type { Learned } from './expectation-maximization.js';
export type { WeightedForests } from './forest-expectation.js';
export { learnProducts, type EmOptions, type LearnedProducts } from './learn-products.js';
export { learnTrees, type TreeOptions } from './learn-trees.js';
export type { Penalty } from './shrink-templates.js';
