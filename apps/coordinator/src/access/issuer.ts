import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  jwksCache,
  type CryptoKey,
  type FlattenedJWSInput,
  type JWKSCacheInput,
  type JWSHeaderParameters,
} from 'jose';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';
import { isSafe } from './oidc-settings.js';

/** An issuer that takes longer is away. */
const PATIENCE_MILLISECONDS = 5_000;
/** Keys and endpoints are some kilobytes. */
const MOST_BYTES = 1 << 20;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const safeUrl = z.url().refine(isSafe, 'https, or http on loopback');
const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: safeUrl,
  authorization_endpoint: z.url().optional(),
  token_endpoint: safeUrl.optional(),
});
export type Discovery = z.infer<typeof discoverySchema>;
/**
 * An OpenID provider as it describes itself. Its keys are asked for again every ten minutes, and at once for a key that
 * is not among them (once in five seconds); while it is away they are used for an hour, so that its restart locks no
 * user out.
 */
export class Issuer {
  #discovery: { readonly document: Discovery; readonly at: number } | null = null;
  #discovering: Promise<Discovery> | null = null;
  #keys: ReturnType<typeof createRemoteJWKSet> | null = null;
  /** When the keys were fetched, as the library keeps it. */
  readonly #fetched: JWKSCacheInput = {};

  constructor(readonly url: string) {}

  /** What it said of itself within the last hour, or before while it is away. @throws CoordinatorError `unavailable` */
  async discovery(): Promise<Discovery> {
    const known = this.#discovery;
    if (known !== null && Date.now() - known.at < HOUR) return known.document;
    this.#discovering ??= this.#discover().finally(() => {
      this.#discovering = null;
    });
    try {
      const document = await this.#discovering;
      this.#discovery = { document, at: Date.now() };
      return document;
    } catch (error) {
      if (known !== null) return known.document;
      throw error;
    }
  }

  /** The key that a token is signed with. @throws errors of `jose`; CoordinatorError `unavailable` */
  async key(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    this.#keys ??= await this.#openKeys();
    const keys = this.#keys;
    try {
      return await keys(header, token);
    } catch (error) {
      // the token's fault, and not that of the issuer
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      const last = keys.jwks();
      const { uat = -Infinity } = this.#fetched as { readonly uat?: number };
      if (last === undefined || Date.now() - uat > HOUR)
        throw this.#unanswered(error, (await this.discovery()).jwks_uri);
      return createLocalJWKSet(last)(header, token);
    }
  }

  async #openKeys(): Promise<ReturnType<typeof createRemoteJWKSet>> {
    const { jwks_uri: address } = await this.discovery();
    return createRemoteJWKSet(new URL(address), {
      timeoutDuration: PATIENCE_MILLISECONDS,
      cooldownDuration: 5_000,
      cacheMaxAge: 10 * MINUTE,
      [jwksCache]: this.#fetched,
    });
  }

  async #discover(): Promise<Discovery> {
    const address = `${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await this.#document(address, discoverySchema);
    if (document.issuer === this.url) return document;
    throw this.#away(`an issuer that calls itself ${JSON.stringify(document.issuer.slice(0, 200))}`, address);
  }

  async #document<T>(address: string, schema: z.ZodType<T>): Promise<T> {
    let text: string;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
      // elsewhere stands who knows whose keys
      const response = await fetch(address, { signal, redirect: 'error', headers: { Accept: 'application/json' } });
      if (!response.ok) throw new Error(`the status ${String(response.status)}`);
      text = await boundedText(response);
    } catch (error) {
      throw this.#unanswered(error, address);
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw this.#away('another document', address, error);
    }
  }

  #unanswered(error: unknown, where: string): CoordinatorError {
    const why = (error as Error).cause instanceof Error ? (error as { cause: Error }).cause.message : String(error);
    return this.#away(`no answer of the issuer (${why.slice(0, 200)})`, where, error);
  }

  #away(got: string, where: string, cause?: unknown): CoordinatorError {
    const input = {
      got,
      expected: `what ${this.url} says of itself and its keys`,
      where,
      remedy:
        'Try again in a few seconds. Fixed tokens are taken meanwhile. The administrator of this coordinator checks whether it reaches the issuer.',
    };
    return new CoordinatorError('unavailable', input, { cause, headers: { 'Retry-After': '5' } });
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true });
    if (text.length > MOST_BYTES) throw new Error(`more than ${String(MOST_BYTES)} bytes`);
  }
  return text;
}
