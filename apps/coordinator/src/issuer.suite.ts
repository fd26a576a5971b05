import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';

export const audience = 'https://orchard.example';

/** What a real OpenID provider (`oidc-provider`) says of itself and its keys, with a hand in what it signs. */
export interface TestIssuer {
  readonly url: string;
  /** How often its keys were asked for. */
  readonly keyRequests: () => number;
  /** A token as the issuer would make it, but for what is said otherwise. */
  token(
    claims?: JWTPayload,
    header?: { readonly alg?: string; readonly kid?: string; readonly typ?: string },
  ): Promise<string>;
  /** Of a client that signs in by itself: by the token endpoint. */
  granted(): Promise<string>;
  /** Signs with another key from now on; the one before is withdrawn. */
  rotate(): Promise<void>;
  /** Of the key that it signs with. */
  readonly publicKey: () => JWK;
  /** Lets a page sign people in by the client `page`, and sends them back there. */
  allowPage(redirect: string): void;
  /** Answers nothing until it is called with false. */
  goAway(isAway: boolean): void;
  stop(): Promise<void>;
}

const secret = 'secret-of-a-client-of-the-tests';

export async function startIssuer(): Promise<TestIssuer> {
  let answer: ReturnType<Provider['callback']> | null = null;
  let isAway = false;
  let asked = 0;
  const server: Server = createServer((request, response) => {
    if (isAway || answer === null) return void response.destroy();
    if (request.url?.startsWith('/jwks') === true) asked += 1;
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  let keys = { privateKey: null as unknown as CryptoKey, jwk: {} as JWK };
  let number = 0;
  let redirect: string | null = null;

  const rotate = async (): Promise<void> => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = `key-${String(++number)}`;
    keys = { privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } };
    answer = providerOf(url, keys.jwk, redirect).callback();
  };
  await rotate();
  return {
    url,
    keyRequests: () => asked,
    rotate,
    publicKey: () => ({ kty: keys.jwk.kty!, n: keys.jwk.n!, e: keys.jwk.e! }),
    allowPage: (to) => {
      redirect = to;
      answer = providerOf(url, keys.jwk, redirect).callback();
    },
    goAway: (away) => {
      isAway = away;
      if (away) server.closeAllConnections();
    },
    token: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const standard = {
        iss: url,
        aud: audience,
        sub: 'subject-1',
        email: 'ann@example.org',
        iat: now,
        exp: now + 300,
      };
      return new SignJWT({ ...standard, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: keys.jwk.kid!, typ: 'at+jwt', ...header })
        .sign(keys.privateKey);
    },
    granted: async () => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', resource: audience });
      const Authorization = `Basic ${Buffer.from(`robot:${secret}`).toString('base64')}`;
      const response = await fetch(`${url}/token`, { method: 'POST', body, headers: { Authorization } });
      return ((await response.json()) as { access_token: string }).access_token;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function providerOf(url: string, key: JWK, redirect: string | null): Provider {
  return new Provider(url, {
    jwks: { keys: [key] },
    cookies: { keys: ['only-for-tests'] },
    clients: [
      {
        client_id: 'robot',
        client_secret: secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
      },
      ...(redirect === null
        ? []
        : [
            {
              client_id: 'page',
              application_type: 'native' as const,
              token_endpoint_auth_method: 'none' as const,
              grant_types: ['authorization_code'],
              response_types: ['code' as const],
              redirect_uris: [redirect],
            },
          ]),
    ],
    clientBasedCORS: () => true,
    claims: { openid: ['sub'], email: ['email'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.org` }),
    }),
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenTTL: 300,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    // a person has the role that is the beginning of their name: viewer-ann
    extraTokenClaims: (_context, token) => {
      const account = 'accountId' in token ? String(token.accountId) : 'submitter-robot';
      return { roles: [account.split('-')[0]], email: `${account}@example.org` };
    },
  });
}
