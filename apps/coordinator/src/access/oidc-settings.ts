import { z } from 'zod';
import { CoordinatorError } from '../errors.js';
import { roles, type Role } from './roles.js';

const text = z.string().trim().min(1);

/** The coordinator's settings of an OpenID provider. */
export const oidcVariables = {
  ORCHARD_OIDC_ISSUER: z.url().optional().meta({ description: 'the URL that the issuer calls itself by' }),
  /** What `aud` of a token must hold. */
  ORCHARD_OIDC_AUDIENCE: text.optional(),
  /** Of the page, a public client; without it the page takes pasted tokens alone. */
  ORCHARD_OIDC_CLIENT_ID: text.optional(),
  ORCHARD_OIDC_SCOPE: text.default('openid profile email'),
  /** Beside what the protocol has: `audience=…` of Auth0, `resource=…` of RFC 8707. */
  ORCHARD_OIDC_PARAMETERS: z.string().default(''),
  ORCHARD_OIDC_ROLES_CLAIM: text.default('roles'),
  ORCHARD_OIDC_ROLES: text.default(roles.map((role) => `${role}=${role}`).join(',')),
  ORCHARD_OIDC_NAME_CLAIM: text.default('email'),
} as const;

export interface OidcSettings {
  readonly issuer: string;
  readonly audience: string;
  /** A claim by its name, or by the path to it with dots. */
  readonly rolesClaim: string;
  /** Of values of the claim; others mean nothing. */
  readonly roleOf: ReadonlyMap<string, Role>;
  readonly nameClaim: string;
  /** What the page signs in as; null where it does not. */
  readonly page: {
    readonly clientId: string;
    readonly scope: string;
    readonly parameters: Readonly<Record<string, string>>;
  } | null;
}

/**
 * Null where no issuer is named.
 *
 * @throws CoordinatorError `invalid-configuration`
 */
export function oidcSettingsOf(given: z.infer<z.ZodObject<typeof oidcVariables>>): OidcSettings | null {
  const { ORCHARD_OIDC_ISSUER: issuer, ORCHARD_OIDC_AUDIENCE: audience, ORCHARD_OIDC_CLIENT_ID: clientId } = given;
  if (issuer === undefined) {
    if (audience === undefined && clientId === undefined) return null;
    throw refusal('an audience or a client without an issuer', 'a URL', 'ORCHARD_OIDC_ISSUER', 'Set it too.');
  }
  if (!isSafe(issuer))
    throw refusal(
      'another kind of URL',
      'https, without query and fragment (http on loopback alone)',
      'ORCHARD_OIDC_ISSUER',
      'Correct it: keys that come over http can be exchanged on the way.',
    );
  if (audience === undefined)
    throw refusal(
      'nothing',
      'the audience of the tokens that are meant for this coordinator',
      'ORCHARD_OIDC_AUDIENCE',
      'Set it: any token of the issuer, whatever it was made for, would open this coordinator.',
    );
  return {
    issuer,
    audience,
    rolesClaim: given.ORCHARD_OIDC_ROLES_CLAIM,
    roleOf: parseRoles(given.ORCHARD_OIDC_ROLES),
    nameClaim: given.ORCHARD_OIDC_NAME_CLAIM,
    page:
      clientId === undefined
        ? null
        : {
            clientId,
            scope: given.ORCHARD_OIDC_SCOPE,
            parameters: Object.fromEntries(new URLSearchParams(given.ORCHARD_OIDC_PARAMETERS)),
          },
  };
}

/** Whether keys and sign-ins may go to a URL. */
export function isSafe(address: string): boolean {
  const { protocol, hostname, search, hash } = new URL(address);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return search === '' && hash === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}

/** `value=role`, joined by commas or lines; the last = splits, since groups of directories have some of their own. */
function parseRoles(list: string): ReadonlyMap<string, Role> {
  const entries = list
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const [, value, role] = /^(.+?)\s*=\s*(\w+)$/.exec(entry) ?? [];
      if (value === undefined || !roles.includes(role as Role))
        throw refusal(
          JSON.stringify(entry.slice(0, 80)),
          `value=role, the role one of ${roles.join(', ')}`,
          'ORCHARD_OIDC_ROLES',
          'Correct the entry.',
        );
      return [value, role as Role];
    }),
  );
}

function refusal(got: string, expected: string, where: string, remedy: string): CoordinatorError {
  return new CoordinatorError('invalid-configuration', { got, expected, where, remedy });
}
