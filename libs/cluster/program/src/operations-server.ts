import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { listening } from './listening.js';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface OperationsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Answers `/health/live` (the process runs), `/health/ready` (whether it can work now; 503 otherwise) and `/metrics`.
 *
 * Health is open, as probes ask for it. Metrics are for who shows `metricsToken`; where there is none, for this machine
 * alone.
 */
export async function serveOperations(options: {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  /** Rejects with the reason why not. */
  readonly isReady: () => Promise<void>;
  readonly metricsToken?: string | undefined;
}): Promise<OperationsServer> {
  const { host, port, registry, isReady, metricsToken } = options;
  const checkReady = atMostOften(isReady);
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/health/live': () => Promise.resolve(json(200, { status: 'ok' })),
    '/health/ready': () =>
      checkReady().then(
        () => json(200, { status: 'ok' }),
        (error: unknown) =>
          json(503, { status: 'error', reason: error instanceof Error ? error.message : String(error) }),
      ),
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  };
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    const refusal = path === '/metrics' ? refusalOf(request, metricsToken) : null;
    const answer =
      request.method !== 'GET' ? undefined : refusal === null ? answers[path] : () => Promise.resolve(refusal);
    (answer?.() ?? Promise.resolve(json(404, { status: 'unknown' })))
      .catch(() => json(500, { status: 'error' }))
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
      .catch(() => response.destroy());
  });
  const started = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  await listening(started, 'ORCHARD_HEALTH_PORT', port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** How long an answer about readiness is good for. Anybody may ask, and each question costs a request to Redis. */
const FRESH_MILLISECONDS = 2000;

/** Asks at most so often, however often it is asked. */
function atMostOften(check: () => Promise<void>): () => Promise<void> {
  let last: { readonly at: number; readonly answer: Promise<void> } | null = null;
  return () => {
    if (last === null || performance.now() - last.at >= FRESH_MILLISECONDS) {
      last = { at: performance.now(), answer: check() };
      last.answer.catch(() => undefined);
    }
    return last.answer;
  };
}

function refusalOf(request: IncomingMessage, token: string | undefined): Answer | null {
  if (token === undefined) {
    if (isLoopback(request.socket.remoteAddress ?? '')) return null;
    const remedy = 'Set ORCHARD_METRICS_TOKEN and show it as "Authorization: Bearer …", or ask from this machine.';
    return json(403, { status: 'forbidden', remedy });
  }
  const [, shown] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (shown !== undefined && timingSafeEqual(digestOf(shown), digestOf(token))) return null;
  return json(401, { status: 'unauthorized', remedy: 'Show ORCHARD_METRICS_TOKEN as "Authorization: Bearer …".' });
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
