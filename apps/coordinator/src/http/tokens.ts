import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { OidcTokens } from '../access/oidc-tokens.js';
import { unauthorized } from '../access/refusals.js';
import type { Caller } from '../access/roles.js';
import { neededFor } from '../access/routes.js';
import { isRefusal } from '@orchard/refusal';
import { addressOf, RateLimit, spend } from './rate-limit.js';
import { contextOf } from './request-context.js';
import type { Tickets } from './tickets.js';

export type Access = 'read' | 'full';

/** One of the secrets that callers may show. The name is what logs say; the secret is never logged. */
export interface Token {
  readonly name: string;
  readonly access: Access;
  readonly secret: string;
}

/** The name and access that a secret gives. Every token is compared, in constant time, whether or not one matched. */
export function createTokenCheck(tokens: readonly Token[]): (secret: string) => Omit<Token, 'secret'> | null {
  const known = tokens.map(({ name, access, secret }) => ({ name, access, digest: digestOf(secret) }));
  return (secret) => {
    const digest = digestOf(secret);
    let found: Omit<Token, 'secret'> | null = null;
    for (const token of known)
      if (timingSafeEqual(token.digest, digest)) found = { name: token.name, access: token.access };
    return found;
  };
}

/** How a caller is known; with neither tokens nor an issuer, every caller on loopback is let in. */
export interface Ways {
  readonly tokens: readonly Token[];
  readonly oidc: OidcTokens | null;
  readonly tickets: Tickets;
}

/**
 * Finds out who asks: by a fixed token or one of the issuer (`Authorization: Bearer …`, or the password of Basic, so
 * that a browser can open the pages), or by the ticket of a link. What they may do is asked afterwards
 * (`access/authorize.ts`). Wrong tokens are limited by address, so that secrets cannot be guessed.
 */
export function authenticate({ tokens, oidc, tickets }: Ways, guessesPerSecond: number) {
  const check = createTokenCheck(tokens);
  const guesses = new RateLimit(guessesPerSecond);

  async function callerOf(request: Request): Promise<Caller> {
    if (tokens.length === 0 && oidc === null) return { name: 'anonymous', way: 'anonymous', role: 'admin' };
    if (tickets.opens(request)) return { name: 'ticket', way: 'ticket', role: 'viewer' };
    const secret = secretOf(request.get('Authorization'));
    const token = secret === null ? null : check(secret);
    if (token !== null) return { name: token.name, way: 'token', role: token.access === 'full' ? 'admin' : 'viewer' };
    try {
      if (secret !== null && oidc?.isOne(secret) === true) return await oidc.callerOf(secret);
      const known = tokens.length === 0 ? "one of this coordinator's issuer" : 'one of the tokens of this coordinator';
      throw unauthorized(secret === null ? null : 'an unknown token', known);
    } catch (error) {
      // a failure to fetch the keys does not count as a guess
      if (isRefusal(error, 'unauthorized')) spend(guesses, addressOf(request));
      throw error;
    }
  }

  return (request: Request, _response: Response, next: NextFunction): void => {
    if (isOpen(request)) return next();
    callerOf(request).then((caller) => {
      contextOf(request).caller = caller;
      next();
    }, next);
  };
}

/** What anybody may ask: a load balancer whether it goes, and a page how to sign in. */
export function isOpen({ method, path }: Request): boolean {
  return /^\/health(\/|$)/.test(path) || neededFor(method, path).role === 'anyone';
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

function secretOf(header: string | undefined): string | null {
  const [, scheme, value] = /^(Bearer|Basic) +(\S+) *$/i.exec(header ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  if (scheme.toLowerCase() === 'bearer') return value;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}
