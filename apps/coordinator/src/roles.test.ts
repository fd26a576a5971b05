import { afterAll, beforeAll, expect, test } from 'vitest';
import { roles, suffices } from './access/roles.js';
import { checkRoutes, routes } from './access/routes.js';
import { startHarness, type Harness } from './harness.suite.js';
import { audience, startIssuer, type TestIssuer } from './issuer.suite.js';

let issuer: TestIssuer;
let harness: Harness;
let paths: Record<string, Record<string, { description: string }>>;
beforeAll(async () => {
  issuer = await startIssuer();
  harness = await startHarness({ ORCHARD_OIDC_ISSUER: issuer.url, ORCHARD_OIDC_AUDIENCE: audience });
  ({ paths } = (await (await harness.ask('/docs/json')).json()) as { paths: typeof paths });
});
afterAll(async () => {
  await harness.stop();
  await issuer.stop();
});

const tokenOf = (role: string): Promise<string> => issuer.token({ sub: role, email: role, roles: [role] });

/** The status of an answer, whose rest nobody waits for. */
async function statusOf(path: string, method: string, token: string | null): Promise<number> {
  const leaving = new AbortController();
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const { status } = await fetch(harness.url + path, { method, headers, signal: leaving.signal, redirect: 'manual' });
  leaving.abort();
  return status;
}

test('every route asks for the role that it states, of everybody', async () => {
  const tokens = await Promise.all(['stranger', ...roles].map(async (role) => ({ role, token: await tokenOf(role) })));
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { description }]) => ({ path, method: verb.toUpperCase(), description })),
  );
  expect(operations.length).toBeGreaterThan(30);
  for (const { path, method, description } of operations) {
    const { role: needed } = routes[`${method} ${path}`]!;
    const place = path.replace('{id}', 'f'.repeat(64)).replace('{file}', 'report').replace('{kind}/{key}', 'train/1');
    const isOpen = needed === 'anyone';
    expect(description).toBe(isOpen ? 'Needs no token.' : `Needs the role ${needed}.`);
    const nobody = await statusOf(place, method, null);
    expect([method, path, nobody === 401]).toEqual([method, path, !isOpen]);
    for (const { role, token } of tokens) {
      const known = role === 'stranger' ? null : (role as (typeof roles)[number]);
      const status = await statusOf(place, method, token);
      const isRefused = !isOpen && !suffices(known, needed);
      expect([method, path, role, status === 403]).toEqual([method, path, role, isRefused]);
      expect(status).not.toBe(401);
    }
  }
});

test('a path that is spelled as the router takes it, and no other way, asks for the same', async () => {
  const viewer = await tokenOf('viewer');
  for (const path of ['/v1/audit', '/V1/Audit', '/v1/audit/', '/v1/AUDIT?limit=1'])
    expect([path, await statusOf(path, 'GET', viewer)]).toEqual([path, 403]);
  for (const path of ['/v1//audit', '/v1/%61udit', '//v1/audit', '/v1/x/../audit'])
    expect([path, [403, 404]]).toEqual([path, expect.arrayContaining([await statusOf(path, 'GET', viewer)])]);
  const id = 'f'.repeat(64);
  for (const path of [`/V1/Datasets/${id}`, `/v1/datasets/${id}/`, `/v1/nowhere`, '/queues/api/queues/x/clean'])
    expect([path, await statusOf(path, 'DELETE', await tokenOf('submitter'))]).toEqual([path, 403]);
});

test('a route without a role, or a role without a route, keeps a coordinator from starting', () => {
  const other = { ...paths, '/v1/new': { post: {} } };
  expect(() => checkRoutes(other)).toThrow('access/routes.ts: POST /v1/new has no role');
  const { '/v1/load': gone, ...fewer } = paths;
  expect(gone).toBeDefined();
  expect(() => checkRoutes(fewer)).toThrow('access/routes.ts: GET /v1/load is not a route');
});
