import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ruleOf } from '../access/authorize.js';
import type { What } from '../access/routes.js';
import { answerOf } from '../http/problem.js';
import { AuditLog } from './audit-log.js';
import { recordOf } from './record-of.js';

/**
 * Writes down what changed something, with what came of it, before its answer goes out. What failed is written down
 * too; what came no further than to its body is not, since nothing was begun.
 */
@Injectable()
export class Recording implements NestInterceptor {
  constructor(@Inject(AuditLog) private readonly audit: AuditLog) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const { did } = ruleOf(request);
    if (did === undefined) return next.handle();
    return from(this.#recorded(request, context.switchToHttp().getResponse<Response>(), did, next));
  }

  async #recorded(
    request: Request,
    response: Response,
    did: (answer: never) => What | null,
    next: CallHandler,
  ): Promise<unknown> {
    let answer: unknown;
    try {
      answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      const { status, code } = answerOf(error, '').problem;
      await this.audit.tryWrite(recordOf(request, { status, code }));
      throw error;
    }
    const what = did(answer as never);
    if (what !== null) await this.audit.write(recordOf(request, { status: response.statusCode, code: null }, what));
    return answer;
  }
}
