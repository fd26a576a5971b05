import type { NextFunction, Request, Response } from 'express';
import type { PageFile } from './files.js';

/**
 * What the page may do: its own scripts and styles from this origin, questions to this origin, and nothing else. Nothing within it is
 * inline, so that a name that somebody uploaded can never become a script.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Sends the page's files to anybody: they hold nothing of this cluster, and all that the page shows it asks for with the token of whoever
 * looks at it.
 */
export function servePage(files: ReadonlyMap<string, PageFile>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const file = files.get(request.path);
    if (file === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    response.set({
      'Content-Type': file.type,
      'Content-Security-Policy': pagePolicy,
      'Cache-Control': file.isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      ETag: file.tag,
      Vary: 'Accept-Encoding',
    });
    if (request.get('If-None-Match') === file.tag) {
      response.status(304).end();
      return;
    }
    const isGzip = request.acceptsEncodings('gzip') === 'gzip';
    const body = isGzip ? file.gzip : file.bytes;
    if (isGzip) response.set('Content-Encoding', 'gzip');
    response.status(200).set('Content-Length', String(body.length));
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}
