import { json, raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { CoordinatorError } from '../errors.js';
import { drain } from './drain.js';
import { isDeeper } from './json-depth.js';
import { DEEPEST, MEMORY_A_BYTE, noJson } from './json-text.js';
import { watchPace, type BodyPace } from './pace.js';
import type { RequestMemory } from './request-memory.js';

/** Bodies that a handler reads itself: data sets as they come, questions to a network once there is such a network. */
const readLater =
  /^\/v1\/(datasets(\/(describe|split))?|networks\/[^/]+\/(score|sample|complete|check|alarms|compare))\/?$/;

/** Reads the JSON bodies of the API. */
export class JsonBodies {
  readonly #parse: ReturnType<typeof json>;
  readonly #keep: ReturnType<typeof raw>;

  constructor(
    private readonly limit: number,
    private readonly memory: RequestMemory,
    private readonly pace: BodyPace,
  ) {
    this.#parse = json({ limit, strict: false, type: () => true, verify: checkText });
    this.#keep = raw({ limit, type: () => true });
  }

  /** Express' middleware for all paths but those whose handlers read for themselves. */
  readonly middleware = (request: Request, _response: Response, next: NextFunction): void => {
    if (!request.path.startsWith('/v1/') || readLater.test(request.path)) return next();
    this.read(request).then(() => next(), next);
  };

  /**
   * The body as JSON, undefined without one. Its memory is taken before it is read, and held until the answer is out.
   *
   * @throws CoordinatorError `unsupported-media-type`, `too-large`, `too-slow`, `unavailable`, `invalid-request`
   */
  async read(request: Request): Promise<unknown> {
    return hasBody(request) ? this.#take(this.#parse, request) : undefined;
  }

  /** The same as text in UTF-8, for a thread to parse; null without a body. */
  async text(request: Request): Promise<Uint8Array | null> {
    if (!hasBody(request)) return null;
    const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('Content-Type') ?? '')?.[1] ?? 'utf-8';
    if (!/^utf-?8$/i.test(charset)) {
      drain(request);
      throw otherEncoding(`the charset ${charset.slice(0, 40)}`);
    }
    return (await this.#take(this.#keep, request)) as Uint8Array;
  }

  async #take(reader: RequestHandler, request: Request): Promise<unknown> {
    const response = request.res!;
    const type = request.get('Content-Type') ?? '';
    if (!/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type))
      throw new CoordinatorError('unsupported-media-type', {
        got: type === '' ? 'a body without a Content-Type' : `a body of ${JSON.stringify(type.slice(0, 80))}`,
        expected: 'application/json',
        where: 'header Content-Type',
        remedy: 'Send JSON, and say so.',
      });
    const share = this.memory.share();
    try {
      share.take(MEMORY_A_BYTE * this.#mostBytes(request));
      response.once('close', () => share.release());
      if (response.closed) share.release();
      await this.#receive(reader, request, response);
    } catch (error) {
      drain(request);
      throw error;
    }
    return request.body as unknown;
  }

  /** Bytes of text that the body can have: as announced, or the limit where that says nothing. */
  #mostBytes(request: Request): number {
    const announced = Number(request.get('Content-Length') ?? NaN);
    if (announced > this.limit) throw tooLarge(`${announced} bytes`, this.limit);
    const isPlain = (request.get('Content-Encoding') ?? 'identity') === 'identity';
    return isPlain && announced >= 0 ? announced : this.limit;
  }

  #receive(reader: RequestHandler, request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = watchPace(request, this.pace, () => request.readableLength, reject);
      void reader(request, response, (error?: unknown) => {
        stop();
        if (error === undefined || error === null) resolve();
        else reject(refusalOf(error, this.limit));
      });
    });
  }
}

function checkText(_request: unknown, _response: unknown, text: Buffer, encoding: string): void {
  // the depth is read from bytes of UTF-8
  if (encoding !== 'utf-8') throw Object.assign(new Error(`the charset ${encoding}`), { type: 'charset.unsupported' });
  if (isDeeper(text, DEEPEST)) throw Object.assign(new Error('too deep'), { type: 'json.too-deep' });
}

function hasBody(request: Request): boolean {
  return request.get('Transfer-Encoding') !== undefined || Number(request.get('Content-Length') ?? 0) > 0;
}

function tooLarge(got: string, limit: number, cause?: unknown): CoordinatorError {
  const input = { got, expected: `at most ${limit} bytes of JSON`, where: 'body', remedy: 'Send less in one request.' };
  return new CoordinatorError('too-large', input, { cause, headers: { Connection: 'close' } });
}

/** The parser's errors carry a type; what they say of the text stays out of the answer beside the place. */
function refusalOf(error: unknown, limit: number): CoordinatorError {
  const { type, message } = error as { type?: string; message?: string };
  if (type === 'entity.too.large') return tooLarge('a larger body', limit, error);
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return otherEncoding(message ?? 'another encoding', error);
  }
  const got =
    type === 'request.aborted'
      ? 'a body that ended early'
      : type === 'json.too-deep'
        ? `JSON of more than ${DEEPEST} lists and objects within each other`
        : `no JSON (${(message ?? '').slice(0, 120)})`;
  return noJson(got, error);
}

function otherEncoding(got: string, cause?: unknown): CoordinatorError {
  const input = { got, expected: 'UTF-8, plain or gzip', remedy: 'Encode the body so.' };
  return new CoordinatorError('unsupported-media-type', input, { cause });
}
