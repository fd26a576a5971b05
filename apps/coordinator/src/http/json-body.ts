import { json, type NextFunction, type Request, type Response } from 'express';
import { CoordinatorError } from '../errors.js';

/** Bodies that a handler reads itself, as they come. */
const streamed = /^\/v1\/datasets\/?$/;

/** Parses JSON bodies of the API up to `limit` bytes; anything else in a body is refused. */
export function jsonBody(limit: number) {
  const parse = json({ limit, strict: false, type: () => true });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!request.path.startsWith('/v1/') || streamed.test(request.path) || !hasBody(request)) return next();
    const type = request.get('Content-Type') ?? '';
    if (!/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)) throw unsupported(type);
    parse(request, response, (error?: unknown) => {
      if (error === undefined || error === null) next();
      else next(refusalOf(error, limit));
    });
  };
}

function hasBody(request: Request): boolean {
  return request.get('Transfer-Encoding') !== undefined || Number(request.get('Content-Length') ?? 0) > 0;
}

function unsupported(type: string): CoordinatorError {
  return new CoordinatorError('unsupported-media-type', {
    got: type === '' ? 'a body without a Content-Type' : `a body of ${JSON.stringify(type.slice(0, 80))}`,
    expected: 'application/json',
    where: 'header Content-Type',
    remedy: 'Send JSON, and say so.',
  });
}

/** The parser's errors carry a type; what they say of the text stays out of the answer beside the place. */
function refusalOf(error: unknown, limit: number): CoordinatorError {
  const { type, message } = error as { type?: string; message?: string };
  if (type === 'entity.too.large') {
    const input = {
      got: 'a larger body',
      expected: `at most ${limit} bytes of JSON`,
      remedy: 'Send less in one request.',
    };
    return new CoordinatorError('too-large', input, { cause: error, headers: { Connection: 'close' } });
  }
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    const input = {
      got: message ?? 'another encoding',
      expected: 'UTF-8, plain or gzip',
      remedy: 'Encode the body so.',
    };
    return new CoordinatorError('unsupported-media-type', input, { cause: error });
  }
  const got = type === 'request.aborted' ? 'a body that ended early' : `no JSON (${(message ?? '').slice(0, 120)})`;
  const input = { got, expected: 'one JSON document', where: 'body', remedy: 'Correct the body.' };
  return new CoordinatorError('invalid-request', input, { cause: error });
}
