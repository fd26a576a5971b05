import { Refusal } from '@orchard/refusal';
import type { Redis } from 'ioredis';

export type QueueErrorCode =
  /** the address is not a Redis URL */
  | 'invalid-url'
  /** too old a version, or an eviction policy that would lose jobs */
  | 'unsuitable-server'
  /** no answer within the time */
  | 'unreachable'
  /** the server takes neither this user nor this way of talking to it */
  | 'refused'
  /** it answers that it cannot now */
  | 'busy'
  /** it answers, and takes no writes */
  | 'read-only'
  /** the queue belongs to a cluster with another store */
  | 'other-store';

export class QueueError extends Refusal<QueueErrorCode> {}

/** Host and port alone: an address with its password is never shown. */
export function placeOf({ options }: Pick<Redis, 'options'>): string {
  return `${options.host ?? 'localhost'}:${options.port ?? 6379}`;
}
