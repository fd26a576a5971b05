import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Caller } from '../access/roles.js';
import type { HttpMetrics } from '../operations/metrics.js';

/** What the middlewares learn of a request. */
export interface RequestContext {
  readonly id: string;
  /** A caller without any role, until it is known who it is. */
  caller: Caller;
}

const contexts = new WeakMap<Request, RequestContext>();
/** What servers log of a client that left before it was answered. No answer has this status. */
const CLIENT_CLOSED_REQUEST = 499;
const plain = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's id and caller. A request that came by no middleware has an id all the same. */
export function contextOf(request: Request): RequestContext {
  let context = contexts.get(request);
  if (context === undefined) {
    const given = request.get('X-Request-Id');
    context = {
      id: given !== undefined && plain.test(given) ? given : randomUUID(),
      caller: { name: 'anonymous', way: 'anonymous', role: null },
    };
    contexts.set(request, context);
  }
  return context;
}

/** Names every request, answers with the name, and writes one line when it is over: no query, no header, no body. */
export function requestLog(log: Logger, metrics: HttpMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const context = contextOf(request);
    const { method, path } = request;
    const began = performance.now();
    response.setHeader('X-Request-Id', context.id);
    response.once('close', () => {
      const milliseconds = performance.now() - began;
      const aborted = !response.writableFinished;
      const status = aborted && !response.headersSent ? CLIENT_CLOSED_REQUEST : response.statusCode;
      metrics.answered(method, status, milliseconds / 1000);
      const level = status >= 500 ? 'error' : path.startsWith('/health') || path === '/metrics' ? 'debug' : 'info';
      log[level](
        {
          requestId: context.id,
          caller: context.caller.name,
          method,
          path,
          status,
          aborted,
          milliseconds: Math.round(milliseconds),
        },
        'request',
      );
    });
    next();
  };
}

/** Nothing that is answered here is to be guessed at, framed, or kept by caches. */
export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  // pages load nothing from other hosts: bull-board's would fetch fonts from elsewhere
  response.setHeader('Content-Security-Policy', "default-src 'self' 'unsafe-inline' data:; frame-ancestors 'none'");
  response.setHeader('Cache-Control', 'no-store');
  next();
}
