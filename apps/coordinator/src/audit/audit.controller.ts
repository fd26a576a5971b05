import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { z } from 'zod';
import { QueryPipe } from '../http/query-pipe.js';
import { Describe } from '../openapi/describe.js';
import { auditPageSchema, auditQuerySchema, type AuditPage } from './audit-documents.js';
import { AuditLog } from './audit-log.js';

@Controller('v1/audit')
export class AuditController {
  constructor(@Inject(AuditLog) private readonly audit: AuditLog) {}

  @Get()
  @Describe({
    summary: 'Who changed what on one day, and who was refused for lack of a role',
    tag: 'operations',
    query: auditQuerySchema,
    answers: { 200: auditPageSchema },
  })
  list(@Query(new QueryPipe(auditQuerySchema)) query: z.infer<typeof auditQuerySchema>): Promise<AuditPage> {
    const { day = new Date().toISOString().slice(0, 10), after, limit } = query;
    return this.audit.list(day, after, limit);
  }
}
