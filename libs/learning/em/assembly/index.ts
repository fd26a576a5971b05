// EM's expectation of mixtures of products and of trees, and where it begins.
export { factorsOf, highestOfTile, logsOfTile, prepareTile, shareOut } from './products';
export { likelihoodOf, sharesOfTile } from './shares';
export { addNear } from './spread';
export { logsOfTrees, prepareTree, shareRows } from './trees';
