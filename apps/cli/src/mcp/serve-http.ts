import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isAskedHere, listenHere, stopListening, type RunningServer } from '../serve/this-machine.js';

/** Clients at a time; one that asks for more ends the session that was silent longest. */
const MOST_SESSIONS = 32;
const PATH = '/mcp';

/** Answers clients on this machine alone, each in a session of its own. @throws UsageError for a port that is taken */
export async function serveHttp(newServer: () => Server, port: number): Promise<RunningServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => {
    handle(request, response, sessions, newServer).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'This could not be answered.');
    });
  });
  return {
    url: `${await listenHere(server, port)}${PATH}`,
    close: async () => {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      await stopListening(server);
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, StreamableHTTPServerTransport>,
  newServer: () => Server,
): Promise<void> {
  if (!isAskedHere(request))
    return refuse(response, 403, 'Only this machine is answered, by the name 127.0.0.1 or localhost.');
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
