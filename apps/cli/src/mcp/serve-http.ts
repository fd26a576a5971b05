import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Clients at a time; one that asks for more ends the session that was silent longest. */
const MOST_SESSIONS = 32;
const PATH = '/mcp';

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Answers clients on this machine alone, each in a session of its own. @throws Error of listening */
export async function serveHttp(newServer: () => Server, port: number): Promise<HttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    handle(request, response, sessions, newServer).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'This could not be answered.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${PATH}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...sessions.values()].map((session) => session.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, StreamableHTTPServerTransport>,
  newServer: () => Server,
): Promise<void> {
  const { host = '', origin } = request.headers;
  const name = host.replace(/:\d+$/, '');
  // a page of another site may reach this machine by a name of its own
  const isOwn = ['127.0.0.1', 'localhost'].includes(name) && (origin === undefined || origin === `http://${host}`);
  if (!isOwn) return refuse(response, 403, 'Only this machine is answered, by the name 127.0.0.1 or localhost.');
  if (new URL(request.url ?? '/', 'http://127.0.0.1').pathname !== PATH)
    return refuse(response, 404, `Nothing is here. The protocol is spoken at ${PATH}.`);
  const id = request.headers['mcp-session-id'];
  if (id === undefined) return (await newSession(sessions, newServer)).handleRequest(request, response);
  const session = sessions.get(String(id));
  // by which a client knows that it has to begin again
  if (session === undefined) return refuse(response, 404, 'This session has ended. Initialize another.');
  sessions.delete(String(id));
  sessions.set(String(id), session);
  return session.handleRequest(request, response);
}

async function newSession(
  sessions: Map<string, StreamableHTTPServerTransport>,
  newServer: () => Server,
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      sessions.set(id, transport);
      for (const [oldest, other] of sessions) {
        if (sessions.size <= MOST_SESSIONS) break;
        sessions.delete(oldest);
        void other.close();
      }
    },
    onsessionclosed: (id) => {
      sessions.delete(id);
    },
  });
  await newServer().connect(transport as Parameters<Server['connect']>[0]);
  return transport;
}

/** An error of JSON-RPC, as clients expect one. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}
