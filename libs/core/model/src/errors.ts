import { Refusal } from '@orchard/refusal';

/**
 * - `invalid-ensemble`: trees that contradict each other or their conditional
 * - `invalid-network`: a model's ordering, names or shape that do not fit the rest of it, or more than a file holds
 * - `not-a-network-file`: the bytes are not a model file, or contradict what its format says
 * - `damaged-file`: a model file whose bytes are not those that were written: its checksum differs
 * - `unsupported-version`: a model file of another format version
 * - `unknown-family`: a model file of a family that is not known here
 * - `invalid-argument`: a matrix, count or option that the model cannot answer for
 */
export type ModelErrorCode =
  | 'invalid-ensemble'
  | 'invalid-network'
  | 'not-a-network-file'
  | 'damaged-file'
  | 'unsupported-version'
  | 'unknown-family'
  | 'invalid-argument';

/** Everything that this library throws. */
export class ModelError extends Refusal<ModelErrorCode> {}
