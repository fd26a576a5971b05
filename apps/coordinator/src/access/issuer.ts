import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';
import { Kept } from './kept.js';
import { isSafe } from './oidc-settings.js';

/** An issuer that takes longer is away. */
const PATIENCE_MILLISECONDS = 5_000;
/** Keys and endpoints are some kilobytes. */
const MOST_BYTES = 1 << 20;
const MINUTE = 60_000;

const safeUrl = z.url().refine(isSafe, 'https, or http on loopback');
const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: safeUrl,
  authorization_endpoint: z.url().optional(),
  token_endpoint: safeUrl.optional(),
});
const keysSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

export type Discovery = z.infer<typeof discoverySchema>;
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/**
 * An OpenID provider as it describes itself. Its keys are asked for again every ten minutes, and at once for a key that is not among them
 * (once in five seconds); while it is away they are gone by for an hour, so that its restart locks nobody out.
 */
export class Issuer {
  readonly #discovery: Kept<Discovery>;
  readonly #keys: Kept<KeySet>;

  constructor(readonly url: string) {
    const pause = 5_000;
    this.#discovery = new Kept(() => this.#discover(), { fresh: 60 * MINUTE, usable: 24 * 60 * MINUTE, pause });
    this.#keys = new Kept(() => this.#fetchKeys(), { fresh: 10 * MINUTE, usable: 60 * MINUTE, pause });
  }

  /** @throws CoordinatorError `unavailable` */
  discovery(): Promise<Discovery> {
    return this.#discovery.get();
  }

  /** @throws CoordinatorError `unavailable` */
  keys(): Promise<KeySet> {
    return this.#keys.get();
  }

  /** For a token whose key is not among them; null where they were fetched a moment ago. */
  newerKeys(): Promise<KeySet | null> {
    return this.#keys.newer();
  }

  async #discover(): Promise<Discovery> {
    const address = `${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await this.#document(address, discoverySchema);
    if (document.issuer === this.url) return document;
    throw this.#away(`an issuer that calls itself ${JSON.stringify(document.issuer.slice(0, 200))}`, address);
  }

  async #fetchKeys(): Promise<KeySet> {
    const { jwks_uri: address } = await this.discovery();
    return createLocalJWKSet((await this.#document(address, keysSchema)) as unknown as JSONWebKeySet);
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
      const why = (error as Error).cause instanceof Error ? (error as { cause: Error }).cause.message : String(error);
      throw this.#away(`no answer of the issuer (${why.slice(0, 200)})`, address, error);
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw this.#away('another document', address, error);
    }
  }

  #away(got: string, where: string, cause?: unknown): CoordinatorError {
    const input = {
      got,
      expected: `what ${this.url} says of itself and its keys`,
      where,
      remedy:
        'Try again in a few seconds. Fixed tokens are taken meanwhile; whoever runs this coordinator looks whether it reaches the issuer.',
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
