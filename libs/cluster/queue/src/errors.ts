import { Refusal } from '@orchard/refusal';
import type { Redis } from 'ioredis';

/**
 * - `invalid-url`: the address is not a Redis URL
 * - `unsuitable-server`: too old a version, or an eviction policy that would lose jobs
 * - `unreachable`: no answer within the time
 * - `refused`: the server takes neither this user nor this way of talking to it
 * - `busy`: it answers that it cannot now
 * - `read-only`: it answers, and takes no writes
 * - `other-store`: the queue belongs to a cluster with another store
 */
export type QueueErrorCode =
  'invalid-url' | 'unsuitable-server' | 'unreachable' | 'refused' | 'busy' | 'read-only' | 'other-store';

export class QueueError extends Refusal<QueueErrorCode> {}

/** Host and port alone: an address with its password is never shown. */
export function placeOf({ options }: Pick<Redis, 'options'>): string {
  return `${options.host ?? 'localhost'}:${options.port ?? 6379}`;
}
