import * as oauth from 'oauth4webapi';
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

/** What is to be known again when the issuer sends the user back: of this tab alone, and used once. */
interface Begun {
  readonly issuer: Issuer;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the user was. */
  readonly hash: string;
}

const storedAs = 'orchard-sign-in';
/** Where the issuer sends back to: what it knows of this page. */
const redirect = (): string => `${location.origin}/`;

/** Browsers hash nothing on a page that came over http from another machine. */
export const canSignIn = (): boolean => isSecureContext;

/** The issuer as the library that speaks with it wants to know it. */
const serverOf = ({ issuer, authorizationEndpoint, tokenEndpoint }: Issuer): oauth.AuthorizationServer => ({
  issuer,
  authorization_endpoint: authorizationEndpoint,
  token_endpoint: tokenEndpoint,
});
const clientOf = ({ clientId }: Issuer): oauth.Client => ({ client_id: clientId });

/** Leaves for the issuer: the authorization code flow, with PKCE (RFC 7636). */
export async function signIn(issuer: Issuer): Promise<void> {
  const begun: Begun = {
    issuer,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    hash: location.hash,
  };
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
    code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  location.assign(address);
}

/**
 * Where the issuer has sent the browser back, exchanges its code for a token, and takes both out of the address.
 *
 * @returns why it did not work, in a sentence; null where it did, or where the browser was not sent back
 */
export async function comeBack(): Promise<string | null> {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state') || !(answer.has('code') || answer.has('error'))) return null;
  const begun = JSON.parse(sessionStorage.getItem(storedAs) ?? 'null') as Begun | null;
  sessionStorage.removeItem(storedAs);
  history.replaceState(null, '', `/${begun?.hash ?? ''}`);
  if (begun === null || answer.get('state') !== begun.state)
    return 'This sign-in was not begun in this tab, so it was dropped. Sign in again.';
  const iss = answer.get('iss');
  if (iss !== null && iss !== begun.issuer.issuer)
    return 'Another issuer answered than was asked, so its answer was dropped. Sign in again.';
  try {
    token.set(await exchanged(begun, answer), 'oidc');
    return null;
  } catch (failure) {
    if (failure instanceof oauth.AuthorizationResponseError)
      return `The issuer refused: ${failure.error_description ?? failure.error}.`;
    return `Signing in did not work: ${reasonOf(failure, begun.issuer)}. Try again, or ask the administrator of this cluster.`;
  }
}

async function exchanged({ issuer, state, nonce, verifier }: Begun, answer: URLSearchParams): Promise<string> {
  const [server, client] = [serverOf(issuer), clientOf(issuer)];
  const checked = oauth.validateAuthResponse(server, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    checked,
    redirect(),
    verifier,
    {
      additionalParameters: issuer.parameters,
      // the coordinator takes an issuer without TLS on loopback alone
      [oauth.allowInsecureRequests]: issuer.tokenEndpoint.startsWith('http:'),
    },
  );
  // the ID token came from the issuer itself, so that its signature says nothing more
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const bearer = tokens[issuer.bearer];
  if (typeof bearer !== 'string') throw new Error(`the issuer gave no ${issuer.bearer}`);
  return bearer;
}

function reasonOf(failure: unknown, { issuer }: Issuer): string {
  if (failure instanceof oauth.ResponseBodyError) return failure.error_description ?? failure.error;
  // what fetch throws where no answer comes
  if (failure instanceof TypeError && !('code' in failure)) return `${issuer} does not answer to this page`;
  return failure instanceof Error ? failure.message : String(failure);
}
