import { networkInterfaces } from 'node:os';
import { Counter, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { serveOperations, type OperationsServer } from './index.js';

let server: OperationsServer | undefined;
afterEach(() => server?.close());

/** An address of this machine by which it is reached as from another. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

async function start(metricsToken?: string, isReady = (): Promise<void> => Promise.resolve()): Promise<void> {
  const registry = new Registry();
  new Counter({ name: 'jobs', help: 'jobs', registers: [registry] });
  server = await serveOperations({ host: '0.0.0.0', port: 0, registry, isReady, metricsToken });
}
const ask = (path: string, host = '127.0.0.1', token?: string): Promise<Response> =>
  fetch(
    `http://${host}:${server!.port}${path}`,
    token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
  );

test('metrics without a token are for this machine', async () => {
  await start();
  expect((await ask('/metrics')).status).toBe(200);
});

test.runIf(outside !== undefined)('and for no other, which is told what to do; health is open', async () => {
  await start();
  const refused = await ask('/metrics', outside);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('ORCHARD_METRICS_TOKEN')]);
  expect((await ask('/health/ready', outside)).status).toBe(200);
  expect((await ask('/health/live', outside)).status).toBe(200);
});

test('metrics with a token are for those who show it', async () => {
  const token = 'token-of-the-metrics-0123456789';
  await start(token);
  expect((await ask('/metrics')).status).toBe(401);
  expect((await ask('/metrics', '127.0.0.1', `${token}x`)).status).toBe(401);
  expect(await (await ask('/metrics', outside, token)).text()).toContain('jobs');
});

test('readiness is asked for once, however many ask', async () => {
  let checks = 0;
  await start(undefined, () => {
    checks += 1;
    return Promise.reject(new Error('down'));
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/health/ready')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 503));
  expect(checks).toBe(1);
});
