import { z } from 'zod';
import { roleSchema } from '../access/roles.js';

/** One request as it is kept: below `audit/` of the store, an object each. */
export const auditRecordSchema = z.strictObject({
  at: z.iso.datetime().meta({ description: 'when it was over, by the clock of the coordinator' }),
  requestId: z.string().meta({ description: 'as in the log, and in X-Request-Id of the answer' }),
  who: z.strictObject({
    name: z.string().meta({ description: "of the fixed token, or of the issuer's token; never a token" }),
    way: z
      .enum(['anonymous', 'token', 'oidc', 'ticket', 'schedule'])
      .meta({ description: 'schedule: a coordinator by itself' }),
    subject: z.string().optional().meta({ description: 'as the issuer calls them for ever' }),
    role: roleSchema.nullable(),
  }),
  method: z.string(),
  route: z.string().nullable().meta({ description: 'as in this document; null of pages and unknown paths' }),
  path: z.string().meta({ description: 'as it was asked for, without its query; 500 characters at most' }),
  what: z.record(z.string(), z.unknown()).meta({ description: 'the ids of what was stored, changed or removed' }),
  outcome: z.strictObject({
    status: z.int().nullable().meta({ description: 'of the answer; null where it was written down before it' }),
    code: z.string().nullable().meta({ description: 'of the problem; null where there was none' }),
  }),
});

export type AuditRecord = z.infer<typeof auditRecordSchema>;

const daySchema = z.iso.date();
const recordIdSchema = z.string().regex(/^\d{9}-[0-9a-f-]{36}$/);

export const auditQuerySchema = z.strictObject({
  day: daySchema.optional().meta({ description: 'of UTC, as 2026-11-22; today unless given' }),
  after: recordIdSchema.optional().meta({ description: 'the id of a record, `next` of the page before' }),
  limit: z.int().min(1).max(1000).default(100).meta({ description: 'records a page, 1 to 1000' }),
});

export const auditPageSchema = z.strictObject({
  day: daySchema,
  records: z
    .array(auditRecordSchema.extend({ id: recordIdSchema }))
    .meta({ description: 'of one day, the earliest first' }),
  unreadable: z.array(z.string()).meta({ description: 'objects of this page that are not what was written' }),
  next: recordIdSchema.nullable().meta({ description: 'the value of `after` for the next page; null on the last' }),
});

export type AuditPage = z.infer<typeof auditPageSchema>;
