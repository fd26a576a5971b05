import { Refusal } from '@orchard/refusal';

/**
 * - `bad-request`: splits, ordering or choice that do not fit together
 * - `missing-artefact`: the store has no such data set, run or conditional
 * - `damaged-artefact`: stored bytes that are not what was written
 * - `unknown-family`: a kind of model that this program does not know
 * - `other-numerics`: a run of another version of the kernel
 * - `interrupted`: stopped on request; what was done is stored, and the same call goes on from there
 * - `thread-lost`: a training thread died under its work
 * - `training-failed`: the trainer refused or failed, for a reason of its own (the cause)
 */
export const pipelineErrorCodes = [
  'bad-request',
  'missing-artefact',
  'damaged-artefact',
  'unknown-family',
  'other-numerics',
  'interrupted',
  'thread-lost',
  'training-failed',
] as const;

export type PipelineErrorCode = (typeof pipelineErrorCodes)[number];

/** Everything that this library throws itself; errors of the store and of the other libraries pass through. */
export class PipelineError extends Refusal<PipelineErrorCode> {}
