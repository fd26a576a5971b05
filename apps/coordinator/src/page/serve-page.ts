import { pageHeaders, type PageFile } from '@orchard/page';
import type { NextFunction, Request, Response } from 'express';
import type { Issuer } from '../access/issuer.js';

/**
 * Sends the page's files without a token: they hold nothing of this cluster, and all that the page shows it asks for
 * with the token of the user who looks at it. Where it signs in with an issuer it may ask that too.
 */
export function servePage(files: ReadonlyMap<string, PageFile>, issuer: Issuer | null) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const file = files.get(request.path);
    if (file === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    // a policy is that of a document
    const isDocument = file.type.startsWith('text/html');
    originsOf(isDocument ? issuer : null).then((asked) => send(file, asked, request, response), next);
  };
}

function send(file: PageFile, asked: readonly string[], request: Request, response: Response): void {
  const headers = pageHeaders(file, asked);
  response.set(headers);
  if (request.get('If-None-Match') === headers['ETag']) {
    response.status(304).end();
    return;
  }
  const isGzip = request.acceptsEncodings('gzip') === 'gzip';
  const body = isGzip ? file.gzip : file.bytes;
  if (isGzip) response.set('Content-Encoding', 'gzip');
  response.status(200).set('Content-Length', String(body.length));
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Where codes are exchanged for tokens: mostly at the issuer's own origin. Of an issuer that is away nothing else is
 * known.
 */
async function originsOf(issuer: Issuer | null): Promise<readonly string[]> {
  if (issuer === null) return [];
  const { token_endpoint: tokens } = await issuer.discovery().catch(() => ({ token_endpoint: undefined }));
  return [new URL(tokens ?? issuer.url).origin];
}
