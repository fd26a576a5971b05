import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What is done to one request.
 * - a status: it is answered without having reached the server
 * - `lose-answer`: the server carries it out, and the connection breaks before the answer
 * - `cut-body`: the connection breaks in the middle of the answer's body
 * - `flip-bit`: one bit of the answer's body is another
 * - `stall`: no answer ever comes
 */
export type Fault = { status: number; code: string } | 'lose-answer' | 'cut-body' | 'flip-bit' | 'stall';

export interface FaultProxy {
  readonly url: string;
  /** How often each fault was done, by `status` or name: so that a test can show that its fault fired. */
  readonly fired: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/**
 * Stands between a client and an HTTP server. Requests are passed on as they came, the host's name too, since
 * signatures cover it.
 *
 * @param decide - asked for every request; null lets it pass
 * @param rewrite - the headers to pass on in place of those that came
 */
export async function startFaultProxy(
  target: string,
  decide: (method: string, url: string) => Fault | null,
  rewrite: (request: IncomingMessage) => IncomingHttpHeaders | Promise<IncomingHttpHeaders> = ({ headers }) => headers,
): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const fired = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const fault = decide(incoming.method ?? '', incoming.url ?? '');
    if (fault !== null) {
      const name = typeof fault === 'string' ? fault : String(fault.status);
      fired.set(name, (fired.get(name) ?? 0) + 1);
    }
    if (fault === 'stall') return void incoming.resume();
    if (fault !== null && typeof fault === 'object') return refuse(incoming, outgoing, fault);
    void forward(incoming, outgoing, fault);
  });
  async function forward(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): Promise<void> {
    const { method, url } = incoming;
    const headers = await rewrite(incoming);
    const onwards = request({ hostname, port, method, path: url, headers }, (answer) => {
      pass(answer, outgoing, fault);
    });
    onwards.once('error', () => outgoing.destroy());
    incoming.pipe(onwards);
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fired,
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code }: { status: number; code: string },
): void {
  incoming.resume().once('end', () => {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>made by the test</Message></Error>`;
    outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(incoming.method === 'HEAD' ? '' : body);
  });
}

function pass(answer: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): void {
  if (fault === 'lose-answer') {
    answer.resume().once('end', () => outgoing.destroy());
    return;
  }
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  if (fault === null) return void answer.pipe(outgoing);
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.once('end', () => {
    const body = Buffer.concat(chunks);
    const middle = body.length >> 1;
    if (fault === 'cut-body') return void outgoing.write(body.subarray(0, middle), () => outgoing.destroy());
    if (body.length > 0) body[middle]! ^= 1;
    outgoing.end(body);
  });
}
