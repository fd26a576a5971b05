import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtPage, pageHeaders, readPage, type PageFile } from '@orchard/process';
import { messageOf, UsageError } from '../errors.js';
import { LocalAnswers, noCluster, problem, type Answer } from './local-answers.js';
import type { LocalRuns } from './local-runs.js';

export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

const heartbeatMilliseconds = 15_000;
const lookMilliseconds = 1_000;
/** Of a question to a model: rows come by the command line. */
const mostBody = 65_536;

/** Serves the page and its answers to this machine alone. @throws UsageError where the page is not built; Error of listening */
export async function startLocalServer(runs: LocalRuns, port: number): Promise<LocalServer> {
  const folder = builtPage(import.meta.url);
  if (folder === null)
    throw new UsageError({
      got: 'no page beside this program',
      expected: 'the page as npm run build makes it',
      remedy: 'In a clone: npm run build. Installed: install the package again.',
    });
  const page = readPage(folder);
  const answers = new LocalAnswers(runs);
  const server = createServer((request, response) => {
    answer(request, response, page, answers).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, problem(500, `This could not be answered: ${messageOf(error)}`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  page: ReadonlyMap<string, PageFile>,
  answers: LocalAnswers,
): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-store');
  // a page of another site that reaches this machine by a name of its own
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  const site = request.headers['sec-fetch-site'] ?? 'none';
  if (!['127.0.0.1', 'localhost'].includes(host) || !['same-origin', 'none'].includes(String(site))) {
    send(response, problem(403, 'Only this machine is answered, by the name 127.0.0.1 or localhost.'));
    return;
  }
  const { method = 'GET' } = request;
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const file = page.get(url.pathname);
  if (file !== undefined && method === 'GET') {
    const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    response.writeHead(200, { ...pageHeaders(file), ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}) });
    response.end(isGzip ? file.gzip : file.bytes);
    return;
  }
  if (!url.pathname.startsWith('/v1/')) {
    send(response, problem(404, 'There is nothing at this path: the page is at /.'));
    return;
  }
  if (method === 'GET' && url.pathname === '/v1/events') {
    await follow(
      response,
      'cluster',
      () => Promise.resolve(noCluster),
      () => false,
    );
    return;
  }
  const [, id] = /^\/v1\/runs\/([0-9a-f]{64})\/events$/.exec(url.pathname) ?? [];
  const followed = id === undefined ? undefined : (await answers.runs.all()).get(id);
  if (method === 'GET' && followed !== undefined) {
    const status = (): ReturnType<LocalRuns['status']> => answers.runs.status(followed);
    await follow(response, 'status', status, ({ state }) => state === 'done');
    return;
  }
  const column = url.searchParams.get('column');
  const path = `${url.pathname}${column === null ? '' : `/${column}`}`;
  send(response, await answers.to(method, path, () => bodyOf(request)));
}

/** Events with ids: what is now, and whenever it is another; a sign of life in between. */
async function follow<T>(
  response: ServerResponse,
  event: string,
  look: () => Promise<T>,
  isEnd: (seen: T) => boolean,
): Promise<void> {
  let told = '';
  let heardAt = Date.now();
  let id = 0;
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  while (!response.destroyed) {
    const seen = await look();
    const text = JSON.stringify(seen);
    if (text !== told) response.write(`id: ${String(id++)}\nevent: ${event}\ndata: ${text}\n\n`);
    else if (Date.now() - heardAt >= heartbeatMilliseconds) response.write(': still here\n\n');
    if (text !== told || Date.now() - heardAt >= heartbeatMilliseconds) heardAt = Date.now();
    told = text;
    if (isEnd(seen)) break;
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds).unref());
  }
  response.end();
}

function send(response: ServerResponse, answered: Answer): void {
  if ('json' in answered) {
    response.writeHead(answered.status ?? 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answered.json));
    return;
  }
  response.writeHead(200, {
    'Content-Type': answered.type,
    // a report shows names of somebody's columns: as a page of no origin it can ask nothing of this one
    'Content-Security-Policy': "sandbox allow-scripts; default-src 'unsafe-inline' data: blob:",
    'Content-Disposition': `inline; filename="${answered.name}"`,
  });
  response.end(answered.bytes);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > mostBody) throw new Error('the question is too long');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
