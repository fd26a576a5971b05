export { BitMatrix, type BitMatrixOptions } from './bit-matrix.js';
export { DatasetError, type DatasetErrorCode, type Refusal } from './errors.js';
