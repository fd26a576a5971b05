import type { Request } from 'express';
import { neededFor, type What } from '../access/routes.js';
import { contextOf } from '../http/request-context.js';
import type { AuditRecord } from './audit-documents.js';

const MOST_PATH = 500;

/** What is kept of a request: neither its query nor its body nor a header. */
export function recordOf(request: Request, outcome: AuditRecord['outcome'], what: What = {}): AuditRecord {
  const { id, caller } = contextOf(request);
  const { name, way, subject, role } = caller;
  const { route } = neededFor(request.method, request.path);
  return {
    at: new Date().toISOString(),
    requestId: id,
    who: { name, way, ...(subject === undefined ? {} : { subject }), role },
    method: request.method,
    route,
    path: request.path.slice(0, MOST_PATH),
    what: { ...idIn(route, request.path), ...what },
    outcome,
  };
}

/** The id in a path, by the kind of thing that it identifies. */
function idIn(route: string | null, path: string): What {
  const [, kind] = /^\w+ \/v1\/(run|dataset|network)s\/\{id\}/.exec(route ?? '') ?? [];
  const [, id] = /^\/v1\/\w+\/([0-9a-f]{64})(?:\/|$)/i.exec(path) ?? [];
  return kind === undefined || id === undefined ? {} : { [kind]: id };
}
