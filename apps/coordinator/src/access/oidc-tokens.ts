import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { CoordinatorError } from '../errors.js';
import { unauthorized } from './refusals.js';
import type { Issuer } from './issuer.js';
import type { OidcSettings } from './oidc-settings.js';
import { highest, type Caller, type Role } from './roles.js';

/** Two clocks may differ by so much. */
const SKEW_SECONDS = 30;
/** Signatures that the public key alone cannot make. */
const algorithms = [
  ...['RS', 'PS', 'ES'].flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits)),
  'EdDSA',
  'Ed25519',
];
/** What issuers write on tokens that open something; others are receipts, and requests to log out. */
const kinds = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** Reads the tokens of one issuer. */
export class OidcTokens {
  constructor(
    private readonly settings: OidcSettings,
    private readonly issuer: Issuer,
  ) {}

  /** Whether something has the form of such a token. Fixed tokens may have it too, and are compared first. */
  isOne(secret: string): boolean {
    return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(secret);
  }

  /**
   * Who a user is, by the issuer.
   *
   * @throws CoordinatorError `unauthorized`, which says why in a sentence; `unavailable` where the issuer's keys are
   *   not to be had
   */
  async callerOf(token: string): Promise<Caller> {
    this.#refuseForeign(token);
    let claims: JWTPayload;
    try {
      claims = await this.#verified(token);
    } catch (error) {
      throw error instanceof CoordinatorError ? error : this.#refusalOf(error);
    }
    const { nameClaim } = this.settings;
    // an unverified address is whatever a user typed
    const isGuess = nameClaim === 'email' && claims['email_verified'] === false;
    const name = isGuess ? undefined : valueAt(claims, nameClaim);
    const subject = claims.sub!;
    return {
      name: plain(typeof name === 'string' && name !== '' ? name : subject),
      way: 'oidc',
      role: this.#roleOf(claims),
      subject: plain(subject),
      until: (claims.exp! + SKEW_SECONDS) * 1000,
    };
  }

  /** Before any key is asked for: a client cannot make the coordinator ask about tokens of other issuers. */
  #refuseForeign(token: string): void {
    let issuer: unknown;
    let header: ReturnType<typeof decodeProtectedHeader>;
    try {
      issuer = decodeJwt(token).iss;
      header = decodeProtectedHeader(token);
    } catch {
      throw unauthorized('an unknown token', 'one of this coordinator, or of its issuer');
    }
    if (!algorithms.includes(header.alg ?? ''))
      throw unauthorized(`a token with the algorithm ${shown(header.alg)}`, `one of ${algorithms.join(', ')}`);
    if (issuer !== this.settings.issuer)
      throw unauthorized(`a token of the issuer ${shown(issuer)}`, `one of ${this.settings.issuer}`);
    if (!kinds.includes(header.typ?.toLowerCase()))
      throw unauthorized(`a token of the type ${shown(header.typ)}`, 'an access token, or an ID token');
  }

  async #verified(token: string): Promise<JWTPayload> {
    const options = {
      issuer: this.settings.issuer,
      audience: this.settings.audience,
      algorithms,
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['exp', 'sub'],
    };
    const key: JWTVerifyGetKey = (header, input) => this.issuer.key(header, input);
    return (await jwtVerify(token, key, options)).payload;
  }

  /** Without a cause: those of the library hold what the token says. */
  #refusalOf(error: unknown): CoordinatorError {
    if (error instanceof errors.JWTExpired)
      return unauthorized(
        `a token that expired at ${timeOf(error.payload.exp)}`,
        `one that is good now (clocks may differ by ${String(SKEW_SECONDS)} s)`,
        'Sign in again.',
      );
    if (error instanceof errors.JWTClaimValidationFailed) {
      const { claim, payload } = error;
      if (claim === 'aud')
        return unauthorized(
          `a token for the audience ${shown(payload.aud)}`,
          `one for ${JSON.stringify(this.settings.audience)}`,
          'Ask the issuer for a token that is meant for this coordinator.',
        );
      if (claim === 'nbf') return unauthorized(`a token that is good from ${timeOf(payload.nbf)} on`, 'one of now');
      return unauthorized(`a token without a proper ${claim}`, 'one with it');
    }
    if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
      return unauthorized('a token signed with a key that the issuer does not publish', 'one of its keys');
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return unauthorized("a token whose signature is not the issuer's", 'a token as the issuer made it');
    return unauthorized('a token that cannot be read', 'a token as the issuer made it');
  }

  #roleOf(claims: JWTPayload): Role | null {
    const value = valueAt(claims, this.settings.rolesClaim);
    const values = typeof value === 'string' ? [value, ...value.split(/[\s,]+/)] : Array.isArray(value) ? value : [];
    return highest(values.flatMap((one: unknown) => this.settings.roleOf.get(String(one)) ?? []));
  }
}

/** A claim by its name, which may hold dots and slashes, or by the path to it. */
function valueAt(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, part)
          ? (value as Record<string, unknown>)[part]
          : undefined,
      claims,
    );
}

const plain = (name: string): string => name.replace(/\p{C}/gu, ' ').slice(0, 200);
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
const timeOf = (seconds: unknown): string =>
  typeof seconds === 'number' && Math.abs(seconds) < 8e12 ? new Date(seconds * 1000).toISOString() : 'no known time';
