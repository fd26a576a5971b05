import { token } from './questions.js';

/** What the coordinator says of its issuer. */
export interface Issuer {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly scope: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly bearer: 'access_token' | 'id_token';
}

/** What is to be known again when the issuer sends somebody back: of this tab alone, and used once. */
interface Begun {
  readonly issuer: Issuer;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where somebody was. */
  readonly hash: string;
}

const storedAs = 'orchard-sign-in';
/** Where the issuer sends back to: what it knows of this page. */
const redirect = (): string => `${location.origin}/`;

function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Browsers hash nothing on a page that came over http from another machine. */
export const canSignIn = (): boolean => isSecureContext;

/** Leaves for the issuer: the authorization code flow, with PKCE (RFC 7636). */
export async function signIn(issuer: Issuer): Promise<void> {
  const begun: Begun = { issuer, state: random(), nonce: random(), verifier: random(), hash: location.hash };
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier));
  sessionStorage.setItem(storedAs, JSON.stringify(begun));
  const address = new URL(issuer.authorizationEndpoint);
  const asked = {
    ...issuer.parameters,
    response_type: 'code',
    client_id: issuer.clientId,
    redirect_uri: redirect(),
    scope: issuer.scope,
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: base64url(new Uint8Array(hashed)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  location.assign(address);
}

/**
 * Where the issuer has sent somebody back, exchanges its code for a token, and takes both out of the address.
 *
 * @returns why it did not work, in a sentence; null where it did, or nobody was sent back
 */
export async function comeBack(): Promise<string | null> {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state') || !(answer.has('code') || answer.has('error'))) return null;
  const begun = JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') as Begun | null;
  sessionStorage.removeItem(storedAs);
  history.replaceState(null, '', `/${begun?.hash ?? ''}`);
  if (begun === null || answer.get('state') !== begun.state)
    return 'This sign-in was not begun in this tab, so nothing was taken of it: sign in again.';
  const { issuer } = begun;
  const iss = answer.get('iss');
  if (iss !== null && iss !== issuer.issuer)
    return 'Another issuer answered than was asked, so nothing was taken of it: sign in again.';
  const error = answer.get('error');
  if (error !== null) return `The issuer refused: ${answer.get('error_description') ?? error}.`;
  try {
    token.set(await exchanged(begun, answer.get('code')!), 'oidc');
    return null;
  } catch (failure) {
    const why = failure instanceof TypeError ? `${issuer.issuer} does not answer to this page` : String(failure);
    return `Signing in did not work: ${why.replace(/^Error: /, '')}. Try again, or ask whoever runs this cluster.`;
  }
}

async function exchanged({ issuer, nonce, verifier }: Begun, code: string): Promise<string> {
  const body = new URLSearchParams({
    ...issuer.parameters,
    grant_type: 'authorization_code',
    client_id: issuer.clientId,
    redirect_uri: redirect(),
    code,
    code_verifier: verifier,
  });
  const response = await fetch(issuer.tokenEndpoint, { method: 'POST', body, credentials: 'omit', cache: 'no-store' });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(String(answer['error_description'] ?? answer['error'] ?? response.status));
  // it came from the issuer itself, so that its signature says nothing more
  if (nonceOf(String(answer['id_token'])) !== nonce) throw new Error('the answer is to another question');
  const bearer = answer[issuer.bearer];
  if (typeof bearer !== 'string') throw new Error(`the issuer gave no ${issuer.bearer}`);
  return bearer;
}

function nonceOf(idToken: string): unknown {
  const claims = idToken.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/');
  return claims === undefined ? undefined : (JSON.parse(atob(claims)) as { nonce?: unknown }).nonce;
}
