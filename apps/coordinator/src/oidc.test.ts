import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK, type CryptoKey, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from './config.js';
import { fullToken, readToken, startHarness, type Harness } from './harness.suite.js';
import { audience, startIssuer, type TestIssuer } from './issuer.suite.js';

let issuer: TestIssuer;
let harness: Harness;
const environment = (url: string): Record<string, string> => ({
  ORCHARD_OIDC_ISSUER: url,
  ORCHARD_OIDC_AUDIENCE: audience,
  ORCHARD_OIDC_ROLES_CLAIM: 'realm_access.roles',
  ORCHARD_OIDC_ROLES: 'can look=viewer,ou=forest=submitter\n keepers=admin',
});
beforeAll(async () => {
  issuer = await startIssuer();
  harness = await startHarness(environment(issuer.url));
});
afterAll(async () => {
  await harness.stop();
  await issuer.stop();
});
afterEach(() => {
  vi.useRealTimers();
  issuer.goAway(false);
});

const ask = (token: string, path = '/v1/caller', method = 'GET'): Promise<Response> =>
  fetch(harness.url + path, { method, headers: { Authorization: `Bearer ${token}` } });
const withRoles = (...roles: string[]): JWTPayload => ({ realm_access: { roles } });
const at = (milliseconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
};
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (token: string, at: number): string => token.split('.')[at]!;

async function refusalOf(token: string, status = 401): Promise<string> {
  const response = await ask(token);
  const problem = (await response.json()) as { status: number; detail: string; where?: string; remedy: string };
  expect([response.status, problem.status]).toEqual([status, status]);
  if (status === 401) {
    expect(response.headers.get('www-authenticate')).toContain('Bearer realm="orchard", error="invalid_token"');
    expect(problem.where).toBe('header Authorization');
  }
  expect(problem.remedy).not.toBe('');
  return problem.detail;
}

describe("a token of the issuer's", () => {
  test('is taken beside fixed ones, and says who asks and with which role', async () => {
    const token = await issuer.token(withRoles('other', 'ou=forest'));
    expect(await (await ask(token)).json()).toMatchObject({
      name: 'ann@example.org',
      role: 'submitter',
      way: 'oidc',
      access: 'full',
      until: new Date((JSON.parse(Buffer.from(part(token, 1), 'base64url').toString()).exp + 30) * 1000).toISOString(),
    });
    expect(await (await ask(readToken)).json()).toMatchObject({ name: 'reader', role: 'viewer', way: 'token' });
    expect(await (await ask(fullToken)).json()).toMatchObject({ name: 'tester', role: 'admin', until: null });
    // the password of Basic, so that a browser can open the pages
    const password = Buffer.from(`ann:${token}`).toString('base64');
    expect((await fetch(`${harness.url}/v1/runs`, { headers: { Authorization: `Basic ${password}` } })).status).toBe(
      200,
    );
  });

  test('of several roles gives the highest, and an address that nobody has verified is no name', async () => {
    const claims = { ...withRoles('keepers', 'can look'), email_verified: false };
    expect(await (await ask(await issuer.token(claims))).json()).toMatchObject({ name: 'subject-1', role: 'admin' });
  });

  test('that it grants by itself is taken as it comes', async () => {
    const own = await startHarness({
      ...environment(issuer.url),
      ORCHARD_OIDC_ROLES_CLAIM: 'roles',
      ORCHARD_OIDC_ROLES: '',
    });
    try {
      const headers = { Authorization: `Bearer ${await issuer.granted()}` };
      const caller = await (await fetch(`${own.url}/v1/caller`, { headers })).json();
      expect(caller).toMatchObject({ name: 'submitter-robot@example.org', role: 'submitter' });
    } finally {
      await own.stop();
    }
  });

  test('without a role is a 403 that says so: who it is is known', async () => {
    const response = await ask(await issuer.token(withRoles('strangers')));
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="orchard", error="insufficient_scope"');
    expect(await response.json()).toMatchObject({
      code: 'forbidden',
      got: '"ann@example.org", with no role here, for a GET',
      expected: 'the role viewer',
      remedy: 'Ask the administrator of this coordinator for the role viewer, then sign in again.',
    });
  });

  test('that has expired is refused with the time, but for a difference of clocks', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const late = await issuer.token({ ...withRoles('keepers'), exp: seconds - 20 });
    expect((await ask(late)).status).toBe(200);
    const exp = seconds - 60;
    expect(await refusalOf(await issuer.token({ ...withRoles('keepers'), exp }))).toBe(
      `header Authorization: got a token that expired at ${new Date(exp * 1000).toISOString()}, expected one that is good now (clocks may differ by 30 s). Sign in again.`,
    );
  });

  test.each<[string, JWTPayload, string]>([
    ['for another audience', { aud: 'elsewhere' }, 'a token for the audience "elsewhere"'],
    ['of another issuer', { iss: 'https://evil.example' }, 'a token of the issuer "https://evil.example"'],
    ['of tomorrow', { nbf: 4_000_000_000 }, 'a token that is good from 2096-10-02T07:06:40.000Z on'],
    ['that never expires', { exp: undefined as never }, 'a token without a proper exp'],
    ['of nobody', { sub: undefined as never }, 'a token without a proper sub'],
  ])('%s is refused', async (_what, claims, sentence) => {
    expect(await refusalOf(await issuer.token({ ...withRoles('keepers'), ...claims }))).toContain(sentence);
  });

  test('that logs out, and is signed all the same, opens nothing', async () => {
    const token = await issuer.token(withRoles('keepers'), { typ: 'logout+jwt' });
    expect(await refusalOf(token)).toContain('a token of the type "logout+jwt"');
  });

  test('without a signature, or signed by the public key as if it were a secret, is refused for its algorithm', async () => {
    const claims = part(await issuer.token(withRoles('keepers')), 1);
    expect(await refusalOf(`${base64({ alg: 'none' })}.${claims}.`)).toContain('a token with the algorithm "none"');
    const key = await exportSPKI((await importJWK(issuer.publicKey(), 'RS256', { extractable: true })) as CryptoKey);
    const signed = `${base64({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
    const forged = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    expect(await refusalOf(forged)).toContain('a token with the algorithm "HS256"');
  });

  test('with claims of somebody else under its signature is refused', async () => {
    const [header, , signature] = (await issuer.token(withRoles('can look'))).split('.');
    const claims = part(await issuer.token(withRoles('keepers')), 1);
    expect(await refusalOf(`${header!}.${claims}.${signature!}`)).toContain("whose signature is not the issuer's");
    expect(await refusalOf('a.b.c')).toContain('an unknown token');
  });

  test('with a key that is not known is refused, the issuer asked once, and taken when it was only new', async () => {
    const withdrawn = await issuer.token(withRoles('keepers'));
    expect((await ask(withdrawn)).status).toBe(200);
    at(10_000);
    const before = issuer.keyRequests();
    const strange = await issuer.token(withRoles('keepers'), { kid: 'nobody-has-it' });
    for (let time = 0; time < 3; time++)
      expect(await refusalOf(strange)).toContain('a key that the issuer does not publish');
    expect(issuer.keyRequests() - before).toBe(1);
    await issuer.rotate();
    at(10_000);
    expect((await ask(await issuer.token(withRoles('keepers')))).status).toBe(200);
    expect(await refusalOf(withdrawn)).toContain('a key that the issuer does not publish');
  });

  test('leaves nothing of itself in the log', async () => {
    const good = await issuer.token(withRoles('keepers'));
    await ask(good, '/v1/runs');
    const bad = await issuer.token({ exp: 1 });
    await ask(bad, '/v1/runs');
    const log = harness.log.join('');
    expect(log).toContain('"caller":"ann@example.org"');
    for (const token of [good, bad]) for (const at of [1, 2]) expect(log).not.toContain(part(token, at));
  });
});

describe('an issuer that is away', () => {
  test('is a 503 with a remedy and no 401, and fixed tokens are taken meanwhile', async () => {
    issuer.goAway(true);
    const fresh = await startHarness(environment(issuer.url));
    try {
      const get = async (token: string): Promise<Response> =>
        fetch(`${fresh.url}/v1/runs`, { headers: { Authorization: `Bearer ${token}` } });
      const token = await issuer.token(withRoles('keepers'));
      const response = await get(token);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({
        code: 'unavailable',
        got: expect.stringContaining('no answer of the issuer') as string,
        where: `${issuer.url}/.well-known/openid-configuration`,
        remedy: expect.stringContaining('Try again in a few seconds. Fixed tokens are taken') as string,
      });
      expect((await get(fullToken)).status).toBe(200);
      issuer.goAway(false);
      at(10_000);
      expect((await get(token)).status).toBe(200);
    } finally {
      await fresh.stop();
    }
  });

  test('locks nobody out for an hour whose key is known', async () => {
    expect((await ask(await issuer.token(withRoles('keepers')))).status).toBe(200);
    issuer.goAway(true);
    at(50 * 60_000);
    expect((await ask(await issuer.token(withRoles('keepers')))).status).toBe(200);
    at(20 * 60_000);
    expect((await ask(await issuer.token(withRoles('keepers')))).status).toBe(503);
  });

  test('or answers as another is not gone by', async () => {
    const other = await startHarness(environment(`${issuer.url}/`));
    try {
      const token = await issuer.token({ ...withRoles('keepers'), iss: `${issuer.url}/` });
      const response = await fetch(`${other.url}/v1/runs`, { headers: { Authorization: `Bearer ${token}` } });
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('an issuer that calls itself');
    } finally {
      await other.stop();
    }
  });
});

test('a stream that a token opened ends when the token does', async () => {
  // taken for 30 seconds after its end, so for two or three more: by whole seconds one second might be none
  const exp = Math.floor(Date.now() / 1000) - 27;
  const response = await ask(await issuer.token({ ...withRoles('can look'), exp }), '/v1/events');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('event: cluster');
});

test('without fixed tokens nobody makes links but the coordinator', async () => {
  const own = await startHarness({ ...environment(issuer.url), ORCHARD_TOKENS: '' });
  try {
    const { Tickets } = await import('./http/tickets.js');
    const link = new Tickets([]).link(`/v1/runs/${'a'.repeat(64)}/summary`, new URLSearchParams());
    expect((await fetch(own.url + link)).status).toBe(401);
    expect((await fetch(`${own.url}/v1/runs`)).status).toBe(401);
    const headers = { Authorization: `Bearer ${await issuer.token(withRoles('can look'))}` };
    const answer = await fetch(`${own.url}/v1/runs/${'a'.repeat(64)}/links/summary`, { headers });
    const { path } = (await answer.json()) as { path: string };
    expect((await fetch(own.url + path)).status).toBe(404);
  } finally {
    await own.stop();
  }
});

describe('the configuration of an issuer', () => {
  const parse = (given: Record<string, string>) => readConfig({ ORCHARD_STORE: 's3://orchard', ...given }).oidc;

  test.each<[Record<string, string>, RegExp]>([
    [{ ORCHARD_OIDC_AUDIENCE: 'x' }, /an audience or a client without an issuer/],
    [{ ORCHARD_OIDC_ISSUER: 'https://id.example' }, /ORCHARD_OIDC_AUDIENCE: got nothing/],
    [{ ORCHARD_OIDC_ISSUER: 'http://id.example', ORCHARD_OIDC_AUDIENCE: 'x' }, /https/],
    [{ ORCHARD_OIDC_ISSUER: 'nonsense', ORCHARD_OIDC_AUDIENCE: 'x' }, /ORCHARD_OIDC_ISSUER/],
    [
      { ORCHARD_OIDC_ISSUER: 'https://id.example', ORCHARD_OIDC_AUDIENCE: 'x', ORCHARD_OIDC_ROLES: 'a=owner' },
      /ORCHARD_OIDC_ROLES: got "a=owner", expected value=role/,
    ],
  ])('%j is refused', (given, words) => {
    expect(() => parse(given)).toThrow(words);
  });

  test('is enough to listen where other machines can ask', () => {
    const given = { ORCHARD_OIDC_ISSUER: 'https://id.example', ORCHARD_OIDC_AUDIENCE: 'x', ORCHARD_HOST: '0.0.0.0' };
    expect(parse(given)).toMatchObject({ issuer: 'https://id.example', page: null });
  });
});
