import type { NextFunction, Request, Response } from 'express';
import { CoordinatorError } from '../errors.js';
import { contextOf } from './request-context.js';

/** Callers remembered at once; beyond it, those who have been quiet longest are forgotten. */
const REMEMBERED = 10_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/**
 * A bucket per caller that fills with `perSecond` requests a second and holds twice as many. Callers are distinguished
 * by token, without one by address.
 */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    readonly perSecond: number,
    readonly now: () => number = () => performance.now(),
  ) {}

  /** Seconds until the caller may try again; 0 when this request is granted. */
  take(caller: string): number {
    const now = this.now();
    const capacity = 2 * this.perSecond;
    const bucket = this.#buckets.get(caller) ?? { tokens: capacity, filledAt: now };
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.filledAt) / 1000) * this.perSecond);
    bucket.filledAt = now;
    // deleting first moves the caller to the end: the map's order is the order of last requests
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    if (this.#buckets.size > REMEMBERED) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.perSecond));
    bucket.tokens -= 1;
    return 0;
  }
}

/** @throws CoordinatorError `too-many-requests` */
export function spend(limit: RateLimit, caller: string): void {
  const seconds = limit.take(caller);
  if (seconds === 0) return;
  throw new CoordinatorError(
    'too-many-requests',
    {
      got: 'more requests than allowed',
      expected: `${limit.perSecond} a second, ${2 * limit.perSecond} at once`,
      remedy: `Wait ${seconds} s, and ask less often; /v1/runs/:id/events tells of changes without asking.`,
    },
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** After authentication. */
export function rateLimit(perSecond: number) {
  const limit = new RateLimit(perSecond);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!request.path.startsWith('/health')) {
      spend(limit, callerOf(request));
    }
    next();
  };
}

/** By the token's name or the issuer's word, or the address where the caller is unknown. */
export function callerOf(request: Request): string {
  const { caller } = contextOf(request);
  const { way, name, subject } = caller;
  return way === 'anonymous' ? addressOf(request) : `${way} ${subject ?? name}`;
}

export function addressOf(request: Request): string {
  return `address ${request.socket.remoteAddress ?? 'unknown'}`;
}
