import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { clusterOfTest, type Cluster, type ClusterOptions } from '../cluster/cluster.js';
import { LaggingListings } from './lagging-listings.js';

/**
 * - `503`, `409`, `412`: the server is not asked, and the answer is that
 * - `lost`: the server does as it is asked, then the connection breaks before its answer
 * - `silent`: likewise, but nothing ever comes
 * - `cut`: half of the answer's body, then the connection breaks
 * - a status and a code: the server is not asked, and refuses with that
 */
export type S3Fault = NamedFault | { readonly status: number; readonly code: string };
export type NamedFault = '503' | '409' | '412' | 'lost' | 'silent' | 'cut';

export interface Asked {
  readonly method: string;
  /** Of the object, without its bucket; empty for a listing. */
  readonly name: string;
}

/**
 * Stands between S3 clients and their server, and does to their requests what a test wants done. The host that the
 * client signed is passed on, so signatures hold.
 */
export class S3Proxy {
  readonly url: string;
  /** Asked about every request; null lets it pass. */
  fault: (asked: Asked) => S3Fault | null = () => null;
  /** Told when the server has answered a request, before its client hears of it. */
  onAnswer: (asked: Asked, status: number) => void = () => undefined;
  /** How often each fault was applied. */
  readonly fired: Record<NamedFault, number> = { '503': 0, '409': 0, '412': 0, lost: 0, silent: 0, cut: 0 };
  /** How often each code was answered. */
  readonly refused = new Map<string, number>();
  /** Which objects listings leave out as yet. */
  readonly listings = new LaggingListings();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<S3Proxy> {
    const { hostname, port } = new URL(target);
    const server = createServer((incoming, outgoing) => {
      proxy.#pass(incoming, outgoing, hostname, Number(port));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new S3Proxy(server);
    return proxy;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse, host: string, port: number): void {
    const [, , ...parts] = (incoming.url ?? '').split('?')[0]!.split('/');
    const asked = { method: incoming.method ?? '', name: parts.join('/') };
    let fault = this.fault(asked);
    if (fault === 'cut' && asked.method !== 'GET') fault = null;
    if (fault !== null && typeof fault === 'object') {
      this.refused.set(fault.code, (this.refused.get(fault.code) ?? 0) + 1);
      refuse(incoming, outgoing, fault.status, fault.code);
      return;
    }
    const named = fault;
    if (fault === '409' || fault === '412' || fault === '503') {
      this.fired[fault]++;
      refuse(incoming, outgoing, Number(fault), codes[fault]);
      return;
    }
    const options = { host, port, method: incoming.method, path: incoming.url, headers: incoming.headers };
    const onward = ask(options, (answer) => {
      const status = answer.statusCode ?? 502;
      if (asked.method === 'PUT' && status === 200) this.listings.put(asked.name);
      if (fault === null && this.listings.isOf(incoming)) {
        this.listings.pass(answer, outgoing);
        return;
      }
      if (fault === null) {
        this.onAnswer(asked, status);
        outgoing.writeHead(status, answer.rawHeaders);
        answer.pipe(outgoing);
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        this.onAnswer(asked, status);
        const body = Buffer.concat(chunks);
        if (fault === 'cut' && body.length < 2) {
          outgoing.writeHead(status, answer.rawHeaders).end(body);
          return;
        }
        this.fired[named!]++;
        if (fault === 'silent') return;
        if (fault === 'cut') {
          outgoing.writeHead(status, answer.rawHeaders);
          outgoing.write(body.subarray(0, body.length >> 1), () => outgoing.destroy());
        } else outgoing.destroy();
      });
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('error', () => onward.destroy());
    incoming.pipe(onward);
  }
}

/** A cluster whose programs reach S3 through a proxy; both end with the test. */
export async function clusterBehindProxy(options: ClusterOptions = {}): Promise<{ cluster: Cluster; proxy: S3Proxy }> {
  let proxy!: S3Proxy;
  const s3Endpoint = async ({ url }: { readonly url: string }): Promise<string> => {
    proxy = await S3Proxy.start(url);
    onTestFinished(() => proxy.stop());
    return proxy.url;
  };
  const cluster = await clusterOfTest({ ...options, s3Endpoint });
  return { cluster, proxy };
}

const codes = { '503': 'SlowDown', '409': 'ConditionalRequestConflict', '412': 'PreconditionFailed' } as const;

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number, code: string): void {
  incoming.resume();
  incoming.on('end', () => {
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>A test says so</Message></Error>`;
    outgoing
      .writeHead(status, { 'content-type': 'application/xml', 'content-length': body.length })
      .end(incoming.method === 'HEAD' ? '' : body);
  });
}
