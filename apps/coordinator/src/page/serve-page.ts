import { pageHeaders, type PageFile } from '@orchard/process';
import type { NextFunction, Request, Response } from 'express';

/**
 * Sends the page's files to anybody: they hold nothing of this cluster, and all that the page shows it asks for with the token of whoever
 * looks at it.
 */
export function servePage(files: ReadonlyMap<string, PageFile>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const file = files.get(request.path);
    if (file === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    response.set(pageHeaders(file));
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
