import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** What Nest says of itself, in the same log; its account of every route is for debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.pino.debug({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.pino.error({ rest }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.pino.warn({ context }, String(message));
  }
}
