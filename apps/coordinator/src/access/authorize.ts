import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { AuditLog } from '../audit/audit-log.js';
import { recordOf } from '../audit/record-of.js';
import type { CoordinatorError } from '../errors.js';
import { contextOf } from '../http/request-context.js';
import { isOpen } from '../http/tokens.js';
import { crossSite, foreignHost, notAllowed } from './refusals.js';
import { suffices } from './roles.js';
import { neededFor } from './routes.js';

/**
 * Refuses what the caller may not do, before anything of a body is read, and writes down that it was asked for. What
 * changes the pages of the queues is written down before it is done, since those answer by themselves.
 */
export function authorize(audit: AuditLog) {
  async function check(request: Request): Promise<void> {
    const refusal = refusalOf(request);
    if (refusal !== null) {
      await audit.tryWrite(recordOf(request, { status: 403, code: refusal.code }));
      throw refusal;
    }
    const { role, route } = neededFor(request.method, request.path);
    const isBoard = /^\/queues(\/|$)/i.test(request.path);
    if (isBoard && route === null && role === 'admin')
      await audit.write(recordOf(request, { status: null, code: null }));
  }
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (isOpen(request)) return next();
    check(request).then(() => next(), next);
  };
}

function refusalOf(request: Request): CoordinatorError | null {
  const { caller } = contextOf(request);
  const host = (request.get('Host') ?? '').replace(/:\d+$/, '');
  // no web page reaches a coordinator that asks for no token through a name of its own
  if (caller.way === 'anonymous' && !['localhost', '127.0.0.1', '[::1]'].includes(host)) return foreignHost(host);
  if (isCrossSite(request)) return crossSite();
  const { role } = neededFor(request.method, request.path);
  if (role === 'anyone' || suffices(caller.role, role)) return null;
  return notAllowed(caller, request.method, role);
}

/**
 * Whether a page of another site asks for a change: browsers send the password of Basic along with what any page asks.
 * Of a page that came by http from another machine they do not say which site it is, but its origin.
 */
function isCrossSite(request: Request): boolean {
  if (['GET', 'HEAD'].includes(request.method)) return false;
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = request.get('Origin');
  if (origin === undefined) return false;
  const own = [request.get('Host'), request.get('X-Forwarded-Host')?.split(',')[0]].map(hostOf);
  return !URL.canParse(origin) || !own.includes(new URL(origin).hostname);
}

/** Without its port, which proxies may leave out. */
function hostOf(header: string | undefined): string | null {
  const address = `http://${(header ?? '').trim()}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** Asks the same once more by the route that the router has taken, however its path was spelled. */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { role } = ruleOf(request);
    const { caller } = contextOf(request);
    if (role === 'anyone' || suffices(caller.role, role)) return true;
    throw notAllowed(caller, request.method, role);
  }
}

/** The table's line of the handler that was found. */
export function ruleOf(request: Request): ReturnType<typeof neededFor> {
  const { path } = request.route as { readonly path: string };
  return neededFor(request.method, path.replace(/:(\w+)/g, '{$1}'));
}
