import type { NextFunction, Request, Response } from 'express';
import { CoordinatorError } from '../errors.js';

/** Paths of the OpenAPI document with their operations. */
export type Paths = Readonly<Record<string, object>>;

const verbs = ['get', 'put', 'post', 'delete', 'patch'];

/** Answers 405 with `Allow` on a path of the API that has no such method. `paths` is asked with the first request. */
export function allowedMethods(paths: () => Paths) {
  let routes: { pattern: RegExp; allowed: string[] }[] | null = null;
  return (request: Request, _response: Response, next: NextFunction): void => {
    routes ??= Object.entries(paths()).map(([path, operations]) => routeOf(path, operations));
    const route = routes.find(({ pattern }) => pattern.test(request.path));
    if (route === undefined || route.allowed.includes(request.method)) return next();
    const allow = route.allowed.join(', ');
    const input = {
      got: request.method,
      expected: allow,
      where: request.path.slice(0, 200),
      remedy: 'Use one of these methods.',
    };
    throw new CoordinatorError('method-not-allowed', input, { headers: { Allow: allow } });
  };
}

function routeOf(path: string, operations: object): { pattern: RegExp; allowed: string[] } {
  const pattern = new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`);
  const allowed = Object.keys(operations)
    .filter((verb) => verbs.includes(verb))
    .map((verb) => verb.toUpperCase());
  if (allowed.includes('GET')) allowed.push('HEAD');
  return { pattern, allowed };
}
