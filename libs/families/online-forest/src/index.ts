export { codeForestsOf, type ForestOfCodes } from './code-forests.js';
export { lossInHindsight } from './hindsight.js';
export {
  isModelOfStream,
  modelOfStream,
  sharesOf,
  specificationOf,
  stateBytes,
  streamFrom,
  streamOfTable,
  type OnlineStream,
} from './online-files.js';
export { OnlineForest, type OnlineOptions, type OnlineState } from './online-forest.js';
