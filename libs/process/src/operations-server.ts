import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface OperationsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Answers `/health/live` (the process runs), `/health/ready` (whether it can work now; 503 otherwise) and `/metrics`.
 *
 * @param isReady rejects with the reason why not
 */
export async function serveOperations(options: {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly isReady: () => Promise<void>;
}): Promise<OperationsServer> {
  const { host, port, registry, isReady } = options;
  const answers: Readonly<Record<string, () => Promise<{ status: number; type: string; body: string }>>> = {
    '/health/live': () => Promise.resolve(json(200, { status: 'ok' })),
    '/health/ready': () =>
      isReady().then(
        () => json(200, { status: 'ok' }),
        (error: unknown) =>
          json(503, { status: 'error', reason: error instanceof Error ? error.message : String(error) }),
      ),
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  };
  const server: Server = createServer((request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    (answer?.() ?? Promise.resolve(json(404, { status: 'unknown' })))
      .catch(() => json(500, { status: 'error' }))
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
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

function json(status: number, body: object): { status: number; type: string; body: string } {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}
