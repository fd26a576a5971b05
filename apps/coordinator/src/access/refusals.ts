import { CoordinatorError } from '../errors.js';
import type { Caller, Role } from './roles.js';

/**
 * RFC 6750: a request without credentials is answered with the scheme alone, one with credentials with what is wrong
 * with them.
 */
export function unauthorized(
  got: string | null,
  expected: string,
  remedy = 'Send "Authorization: Bearer <token>" with another token.',
): CoordinatorError {
  const bearer = 'Bearer realm="orchard"';
  return new CoordinatorError(
    'unauthorized',
    {
      got: got ?? 'no token',
      expected,
      where: 'header Authorization',
      remedy: got === null ? 'Send "Authorization: Bearer <token>".' : remedy,
    },
    // two headers: browsers do not look for Basic behind a comma
    {
      headers: {
        'WWW-Authenticate': [got === null ? bearer : `${bearer}, error="invalid_token"`, 'Basic realm="orchard"'],
      },
    },
  );
}

const whoIs = ({ name, way }: Caller): string =>
  way === 'oidc' ? JSON.stringify(name) : `the token ${JSON.stringify(name)}`;

/** Who is known, and may not. */
export function notAllowed(caller: Caller, method: string, needed: Role): CoordinatorError {
  const { role } = caller;
  const got = role === null ? `${whoIs(caller)}, with no role here` : `${whoIs(caller)} of the role ${role}`;
  const input = {
    got: `${got}, for a ${method}`,
    expected: `the role ${needed}`,
    remedy:
      caller.way === 'oidc'
        ? `Ask the administrator of this coordinator for the role ${needed}, then sign in again.`
        : 'Ask the administrator of this coordinator for a token with full access.',
  };
  const headers = { 'WWW-Authenticate': 'Bearer realm="orchard", error="insufficient_scope"' };
  return new CoordinatorError('forbidden', input, { headers });
}

/** What the submitter of a run may do with it, and an admin. */
export type OwnersAct = 'cancel' | 'delete' | 'pin' | 'unpin';

/** Who may do it with runs of their own. @param owner null where it is not known */
export function notYours(caller: Caller, what: OwnersAct, owner: string | null): CoordinatorError {
  const whose = owner === null ? 'a run whose submitter is not known' : `a run of ${JSON.stringify(owner)}`;
  const input = {
    got: `${whoIs(caller)} of the role ${String(caller.role)}, to ${what} ${whose}`,
    expected: 'a run of your own, or the role admin',
    remedy: `Ask ${owner === null ? 'an administrator' : `${JSON.stringify(owner)} or an administrator`} to ${what} it.`,
  };
  const headers = { 'WWW-Authenticate': 'Bearer realm="orchard", error="insufficient_scope"' };
  return new CoordinatorError('forbidden', input, { headers });
}

export function crossSite(): CoordinatorError {
  return new CoordinatorError('forbidden', {
    got: 'a request from a page of another site',
    expected: 'one from a program, or from this origin',
    remedy:
      'Call the API from your own server or command line. A proxy before this coordinator passes Host on, or says it in X-Forwarded-Host.',
  });
}

export function foreignHost(host: string): CoordinatorError {
  return new CoordinatorError('forbidden', {
    got: `the host ${JSON.stringify(host.slice(0, 80))}`,
    expected: 'localhost, 127.0.0.1 or [::1], since this coordinator asks for no token',
    remedy: 'Use one of these names, or configure tokens.',
  });
}
