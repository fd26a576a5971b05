import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { CoordinatorError } from '../errors.js';
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

/** The name and access of whoever knows a secret. Every token is compared, in constant time, whether or not one matched. */
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

/** Answered to anybody: what a load balancer asks. */
const open = /^\/health(\/|$)/;
/** Answers computed from the body, changing nothing: a read-only token may ask for them. */
const harmless = /^\/v1\/networks\/[^/]+\/(score|sample|complete)$/;

/**
 * Lets through who shows a token (`Authorization: Bearer …`, or the password of Basic, so that a browser can open the pages),
 * with full access where the method may change something. Without tokens (on loopback alone) the caller must have addressed this
 * machine by a loopback name, so that no web page can reach the coordinator through a name of its own. Wrong tokens are
 * limited by address: nobody guesses at leisure.
 */
export function authenticate(tokens: readonly Token[], guessesPerSecond: number, tickets: Tickets) {
  const check = createTokenCheck(tokens);
  const guesses = new RateLimit(guessesPerSecond);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (open.test(request.path)) return next();
    refuseCrossSite(request);
    if (tokens.length === 0) {
      refuseForeignHost(request);
      return next();
    }
    if (tickets.opens(request)) {
      Object.assign(contextOf(request), { caller: 'ticket', access: 'read' });
      return next();
    }
    const secret = secretOf(request.get('Authorization'));
    const token = secret === null ? null : check(secret);
    if (token === null) {
      spend(guesses, addressOf(request));
      throw unauthorized(secret);
    }
    const changes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method) && !harmless.test(request.path);
    if (changes && token.access !== 'full') throw readOnly(token.name, request.method);
    Object.assign(contextOf(request), { caller: token.name, access: token.access });
    next();
  };
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

function refuseCrossSite(request: Request): void {
  const site = request.get('Sec-Fetch-Site');
  if (site === undefined || site === 'same-origin' || site === 'none' || ['GET', 'HEAD'].includes(request.method))
    return;
  throw new CoordinatorError('forbidden', {
    got: 'a request from a page of another site',
    expected: 'one from a program, or from this origin',
    remedy: 'Call the API from your own server or command line.',
  });
}

function refuseForeignHost(request: Request): void {
  const host = (request.get('Host') ?? '').replace(/:\d+$/, '');
  if (['localhost', '127.0.0.1', '[::1]'].includes(host)) return;
  throw new CoordinatorError('forbidden', {
    got: `the host ${JSON.stringify(host.slice(0, 80))}`,
    expected: 'localhost, 127.0.0.1 or [::1], since this coordinator asks for no token',
    remedy: 'Use one of these names, or configure tokens.',
  });
}

function unauthorized(secret: string | null): CoordinatorError {
  return new CoordinatorError(
    'unauthorized',
    {
      got: secret === null ? 'no token' : 'an unknown token',
      expected: 'one of the tokens of this coordinator',
      where: 'header Authorization',
      remedy: 'Send "Authorization: Bearer <token>".',
    },
    // two headers: browsers do not look for Basic behind a comma
    { headers: { 'WWW-Authenticate': ['Bearer realm="orchard"', 'Basic realm="orchard"'] } },
  );
}

function readOnly(name: string, method: string): CoordinatorError {
  return new CoordinatorError('forbidden', {
    got: `the read-only token "${name}" for a ${method}`,
    expected: 'a token with full access',
    remedy: 'Ask whoever runs this coordinator for a token with full access.',
  });
}
