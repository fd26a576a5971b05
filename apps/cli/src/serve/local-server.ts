import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { builtPage, pageHeaders, readPage, type PageFile } from '@orchard/page';
import { messageOf, UsageError } from '../output/errors.js';
import { LocalAnswers, noCluster, problem, type Answer } from './local-answers.js';
import type { LocalRuns } from '../run-folder/local-runs.js';
import { isAskedHere, listenHere, stopListening, type RunningServer } from './this-machine.js';

const heartbeatMilliseconds = 15_000;
const lookMilliseconds = 1_000;
/** The largest question to a model; the same as a coordinator's default. */
const mostBytes = 8 * 2 ** 20;
/** How long what lies behind that is still taken. */
const patienceMilliseconds = 2_000;

/**
 * Serves the page and its answers to this machine alone.
 *
 * @throws UsageError where the page is not built, and for a port that is taken
 */
export async function startLocalServer(runs: LocalRuns, port: number): Promise<RunningServer> {
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
  return {
    url: await listenHere(server, port),
    close: async () => {
      await stopListening(server);
      await answers.close();
    },
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
  const site = request.headers['sec-fetch-site'] ?? 'none';
  if (!isAskedHere(request) || !['same-origin', 'none'].includes(String(site))) {
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
  const about = url.searchParams.get('column') ?? url.searchParams.get('with');
  const path = `${url.pathname}${about === null ? '' : `/${about}`}`;
  const isQuestion = method === 'POST' && url.pathname.startsWith('/v1/networks/');
  if (isQuestion) {
    // what a form of another page can send is none
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      send(response, problem(415, 'Expected a question in JSON, with Content-Type: application/json.'));
      return;
    }
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > mostBytes) {
      tooLong(request, response, announced);
      return;
    }
  }
  const body = isQuestion ? await bodyOf(request) : Buffer.alloc(0);
  if (body.length > mostBytes) tooLong(request, response, body.length);
  else send(response, await answers.to({ method, path, body: () => valueOf(body), gone: goneFrom(response) }));
}

/**
 * The rest is read for a moment and thrown away: a connection that is cut while the question is still being sent takes
 * the answer with it.
 */
function tooLong(request: IncomingMessage, response: ServerResponse, bytes: number): void {
  const detail = `got a question of ${String(bytes)} bytes or more, expected at most ${String(mostBytes)}. Ask of fewer rows at a time, or by orchard evaluate DIR FILE.`;
  send(response, problem(413, detail, 'too-large'));
  const cut = setTimeout(() => request.socket.destroy(), patienceMilliseconds).unref();
  request.resume().once('close', () => {
    clearTimeout(cut);
  });
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
  if ('json' in answered || 'text' in answered) {
    const status = 'json' in answered ? (answered.status ?? 200) : 200;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end('json' in answered ? JSON.stringify(answered.json) : answered.text);
    return;
  }
  response.writeHead(200, {
    'Content-Type': answered.type,
    // a report shows names of a user's columns: as a page of no origin it can ask nothing of this one
    'Content-Security-Policy': "sandbox allow-scripts; default-src 'unsafe-inline' data: blob:",
    'Content-Disposition': `inline; filename="${answered.name}"`,
  });
  response.end(answered.bytes);
}

/** As much of a body as may be asked, and what shows that there is more. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // stopped early, it still has an answer to go out by
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) break;
  }
  return Buffer.concat(chunks);
}

/** Undefined without a body, which every question refuses. @throws UsageError for what is not JSON */
function valueOf(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch (cause) {
    const got = `no JSON (${(cause as Error).message.slice(0, 120)})`;
    const parts = { got, expected: 'one JSON document', where: 'body', remedy: 'Correct the body.' };
    throw new UsageError(parts, { cause });
  }
}

/** Aborts when the client leaves before it is answered. */
function goneFrom(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
