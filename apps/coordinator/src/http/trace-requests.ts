import type { Telemetry } from '@orchard/telemetry';
import type { NextFunction, Request, Response } from 'express';

/** Has what is asked of the API be a span each. Probes, scrapes and the files of the pages are none. */
export function traceRequests(telemetry: Telemetry) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!request.path.startsWith('/v1/')) return next();
    const span = telemetry.request(request.method, request.get('traceparent'));
    response.once('close', () => {
      span.end(nameOf(request), response.statusCode);
    });
    span.run(next);
  };
}

/** The route, not the path: spans are grouped by name. What no route answers has none. */
function nameOf({ method, route }: Request): string {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? `${method} ${path}` : method;
}
