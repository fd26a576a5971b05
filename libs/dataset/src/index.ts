export { BitMatrix, type BitMatrixOptions } from './bit-matrix.js';
export { DatasetError, type DatasetErrorCode, type Refusal } from './errors.js';
export { columnOrder, matchColumns, matchSplits, type ExpectedColumns, type Splits } from './match.js';
export { FORMATS, type Format, type ReadOptions } from './options.js';
export { readDataset, readMasked, type MaskedRows } from './read.js';
export { type Source } from './source.js';
export { splitRows } from './split.js';
