export { Sparn, sparnCodec } from './sparn-model.js';
export { sequenceCodec, SparnSequence } from './sparn-sequence.js';
