import { HttpException } from '@nestjs/common';
import { isReply, isUnanswered, QueueError } from '@orchard/queue';
import { consequences, isRefusal, type RefusalCode, type RefusalParts } from '@orchard/refusal';
import { StorageError } from '@orchard/storage';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';

/** RFC 9457, with the parts of a refusal: what came, what was wanted, where, and what to do. */
export const problemSchema = z.strictObject({
  type: z.string().meta({ description: 'about:blank: the status says what kind of problem it is' }),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().meta({ description: 'one plain sentence or two' }),
  code: z.string().meta({ description: 'stable, for programs to branch on' }),
  got: z.string().optional(),
  expected: z.string().optional(),
  where: z.string().optional(),
  remedy: z.string().optional(),
  requestId: z.string(),
});

export type Problem = z.infer<typeof problemSchema>;

export interface Answer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** How any error is answered. Internal errors reveal no details: the request id finds them in the log. */
export function answerOf(error: unknown, requestId: string): Answer {
  const status = statusOf(error);
  if (status >= 500 && !(error instanceof CoordinatorError)) return internal(status, error, requestId);
  const problem: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail: error instanceof Error ? error.message : String(error),
    code: codeOf(error) ?? `http-${status}`,
    ...partsOf(error),
    requestId,
  };
  const headers = error instanceof CoordinatorError ? error.headers : {};
  return { problem, headers };
}

const damage =
  'What the object store keeps of this is damaged. Repair the run (POST /v1/runs/{id}/repair), or upload the data set again.';

/**
 * Servers that answer and refuse, by the code: the words of the server are what an administrator needs.
 */
const refusers: Partial<Record<RefusalCode, string>> = {
  denied: 'Object storage',
  full: 'Object storage',
  unsupported: 'Object storage',
  refused: 'Redis',
  busy: 'Redis',
  'read-only': 'Redis',
};

function internal(status: number, error: unknown, requestId: string): Answer {
  const isPassing = status === 503;
  const isDamage = codeOf(error) === 'damaged';
  const problem: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail: detailOf(error, isPassing),
    code: isPassing ? (codeOf(error) ?? 'unavailable') : isDamage ? 'damaged' : 'internal',
    requestId,
  };
  return { problem, headers: isPassing ? { 'Retry-After': '5' } : {} };
}

function detailOf(error: unknown, isPassing: boolean): string {
  const refusedBy = isRefusal(error) ? refusers[error.code] : undefined;
  if (refusedBy !== undefined && isRefusal(error))
    return `${refusedBy} refuses the coordinator: ${error.got}. ${error.remedy}`;
  if (isPassing) return `${silent(error)} Try again in a few seconds.`;
  if (codeOf(error) === 'damaged') return `${damage} The log of the coordinator names it under this request id.`;
  return 'Something went wrong within the coordinator. Its log has more under this request id.';
}

/** What does not answer, as far as the error says. */
function silent(error: unknown): string {
  if (isRefusal(error, 'thread-lost')) return 'A thread of the coordinator has ended, and another begins.';
  const isQueue = error instanceof QueueError || isUnanswered(error);
  const server = error instanceof StorageError ? 'Object storage' : isQueue ? 'Redis' : 'Redis or object storage';
  return `${server} does not answer at the moment.`;
}

function statusOf(error: unknown): number {
  if (isRefusal(error, 'invalid-contract') && isBeyondSchema(error.cause)) return 422;
  if (isRefusal(error)) return consequences[error.code].http;
  if (error instanceof HttpException) return error.getStatus();
  return isUnanswered(error) || isReply(error) ? 503 : 500;
}

/**
 * Whether a value is what JSON Schema can say of it, and refused by what only code can: an ordering that names a
 * dimension twice.
 */
function isBeyondSchema(cause: unknown): boolean {
  const isCustom = (issue: z.core.$ZodIssue): boolean =>
    issue.code === 'custom' || (issue.code === 'invalid_union' && issue.errors.flat().some(isCustom));
  return cause instanceof z.ZodError && cause.issues.some(isCustom);
}

/** A refusal's code, as the API spells it. */
function codeOf(error: unknown): string | undefined {
  return isRefusal(error) ? (consequences[error.code].told ?? error.code) : undefined;
}

function partsOf(error: unknown): Partial<RefusalParts> {
  if (!isRefusal(error)) return {};
  const { got, expected, where, remedy } = error;
  return { got, expected, ...(where === undefined ? {} : { where }), remedy };
}
