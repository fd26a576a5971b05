import { Refusal } from '@orchard/refusal';

/**
 * - `invalid-url`: the address is not a Redis URL
 * - `unsuitable-server`: too old a version, or an eviction policy that would lose jobs
 * - `unreachable`: no answer within the time
 */
export type QueueErrorCode = 'invalid-url' | 'unsuitable-server' | 'unreachable';

export class QueueError extends Refusal<QueueErrorCode> {}
