import { z } from 'zod';
import { CoordinatorError } from '../errors.js';

const SHORTEST_SECRET = 24;

/** The coordinator's settings of webhooks. */
export const webhookVariables = {
  /** Addresses joined by commas or white space: what a submission names must begin with one of them. */
  ORCHARD_WEBHOOK_URLS: z.string().default(''),
  ORCHARD_WEBHOOK_SECRET: z
    .string()
    .min(SHORTEST_SECRET)
    .optional()
    .meta({ description: `a secret of at least ${String(SHORTEST_SECRET)} characters` }),
} as const;

export interface WebhookSettings {
  /** Where requests may go: an origin, and what the path begins with. */
  readonly allowed: readonly URL[];
  /** What receivers know a request by. */
  readonly secret: string;
}

/**
 * Null where none is allowed.
 *
 * @throws CoordinatorError `invalid-configuration`
 */
export function webhookSettingsOf(given: z.infer<z.ZodObject<typeof webhookVariables>>): WebhookSettings | null {
  const { ORCHARD_WEBHOOK_URLS: list, ORCHARD_WEBHOOK_SECRET: secret } = given;
  const allowed = list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(addressOf);
  if (allowed.length === 0) return null;
  if (secret !== undefined) return { allowed, secret };
  throw new CoordinatorError('invalid-configuration', {
    got: 'addresses of webhooks, and no secret',
    expected: 'a secret that requests are signed with',
    where: 'ORCHARD_WEBHOOK_SECRET',
    remedy: 'Make one with: openssl rand -hex 24; receivers check it.',
  });
}

function addressOf(entry: string, index: number): URL {
  const url = URL.canParse(entry) ? new URL(entry) : null;
  if (url !== null && isPlain(url) && url.search === '' && url.hash === '') return url;
  throw new CoordinatorError('invalid-configuration', {
    got: 'another form',
    expected: 'https://host[:port]/[path/], or http:// of a host that is yours',
    where: `ORCHARD_WEBHOOK_URLS, entry ${String(index + 1)}`,
    remedy: 'Correct the entry.',
  });
}

/**
 * Whether a request may go to an address: of the same origin as one that is allowed, on its path or below it. The
 * parser has resolved dots before; names are the operator's to trust.
 */
export function isAllowed(address: string, allowed: readonly URL[]): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !isPlain(url)) return false;
  return allowed.some(({ origin, pathname }) => {
    const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
    return url.origin === origin && (url.pathname === pathname || url.pathname.startsWith(folder));
  });
}

/** A server may resolve an encoded slash, backslash or dot once more: such a path is none that was allowed. */
function isPlain({ protocol, username, password, pathname }: URL): boolean {
  const isHttp = protocol === 'https:' || protocol === 'http:';
  return isHttp && username === '' && password === '' && !/%2f|%5c|%2e/i.test(pathname);
}
