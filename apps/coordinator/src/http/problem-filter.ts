import {
  BadRequestException,
  Catch,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { CoordinatorError } from '../errors.js';
import { answerOf } from './problem.js';
import { contextOf } from './request-context.js';

/**
 * Every error of a request, of whatever origin, becomes one problem document; what is our fault is logged with its
 * causes.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { id } = contextOf(request);
    const { problem, headers } = answerOf(named(error, request), id);
    if (problem.status >= 500) this.log.error({ requestId: id, error }, 'request failed');
    if (response.headersSent) {
      // half an answer cannot be taken back: cutting the connection shows the client that it failed
      response.destroy();
      return;
    }
    response.status(problem.status).set(headers).type('application/problem+json').send(JSON.stringify(problem));
  }
}

/** What the router says in its own words, in ours. */
function named(error: unknown, request: Request): unknown {
  // the framework makes this of the router's URIError
  if (error instanceof BadRequestException && error.message.startsWith('Failed to decode param')) {
    const input = {
      got: 'a path that cannot be decoded',
      expected: 'percent-encoded UTF-8',
      where: 'path',
      remedy: 'Correct it.',
    };
    return new CoordinatorError('invalid-request', input, { cause: error });
  }
  if (!(error instanceof NotFoundException)) return error;
  const input = {
    got: `${request.method} ${JSON.stringify(request.path.slice(0, 120))}`,
    expected: 'a path of the API',
    remedy: 'GET /docs lists them.',
  };
  return new CoordinatorError('not-found', input, { cause: error });
}
