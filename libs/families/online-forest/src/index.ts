export { lossInHindsight } from './hindsight.js';
export { isModelOfStream, modelOfStream, stateBytes, streamFrom, type OnlineStream } from './online-files.js';
export { OnlineForest, type OnlineOptions, type OnlineState } from './online-forest.js';
