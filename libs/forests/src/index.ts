export {
  chooseEdges,
  chowLiuForest,
  forestOf,
  productForest,
  type ChowLiuForest,
  type KeptEdges,
} from './chow-liu-forest.js';
export { Forest, type Bits } from './forest.js';
