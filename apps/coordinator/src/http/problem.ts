import { HttpException } from '@nestjs/common';
import { ContractError } from '@orchard/contracts';
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
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** The status of what the libraries refuse, by their codes; what is not here and not retryable is our fault: 500. */
const statusByCode: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ContractError: { 'invalid-contract': 400 },
  DatasetError: { limit: 413, '*': 422 },
  ModelError: { '*': 422 },
  PipelineError: { 'bad-request': 422, 'missing-artefact': 404, 'other-numerics': 409 },
  RunError: { 'unknown-run': 404, 'unknown-dataset': 404, '*': 409 },
  QueueError: { '*': 503 },
  StorageError: { missing: 404, full: 503, unavailable: 503, damaged: 503, 'invalid-name': 400 },
};

/** How any error is answered. Of what is our fault, nothing inside is told: the request id finds it in the log. */
export function answerOf(error: unknown, requestId: string): Answer {
  const status = statusOf(error);
  const facts = refusalOf(error);
  if (status >= 500 && !(error instanceof CoordinatorError)) return internal(status, error, requestId);
  const problem: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail: error instanceof Error ? error.message : String(error),
    code: facts.code ?? `http-${status}`,
    ...facts.parts,
    requestId,
  };
  const headers = error instanceof CoordinatorError ? (error.details.headers ?? {}) : {};
  return { problem, headers };
}

function internal(status: number, error: unknown, requestId: string): Answer {
  const isPassing = status === 503;
  const problem: Problem = {
    type: 'about:blank',
    title: titles[status] ?? 'Error',
    status,
    detail: isPassing
      ? 'Redis or the object store does not answer at the moment. Try again in a few seconds.'
      : 'Something went wrong within the coordinator. Its log has more under this request id.',
    code: isPassing ? (refusalOf(error).code ?? 'unavailable') : 'internal',
    requestId,
  };
  return { problem, headers: isPassing ? { 'Retry-After': '5' } : {} };
}

function statusOf(error: unknown): number {
  if (error instanceof CoordinatorError) return error.status;
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error)) return 500;
  // a command that Redis did not hear, in the words of its client
  if (error.name === 'MaxRetriesPerRequestError') return 503;
  if (error instanceof ContractError && isBeyondSchema(error.cause)) return 422;
  const codes = statusByCode[error.name];
  const { code, retryable } = error as { code?: unknown; retryable?: unknown };
  const status = typeof code === 'string' ? (codes?.[code] ?? codes?.['*']) : undefined;
  return status ?? (retryable === true ? 503 : 500);
}

/** Whether a value is what JSON Schema can say of it, and refused by what only code can: an ordering that names a dimension twice. */
function isBeyondSchema(cause: unknown): boolean {
  const isCustom = (issue: z.core.$ZodIssue): boolean =>
    issue.code === 'custom' || (issue.code === 'invalid_union' && issue.errors.flat().some(isCustom));
  return cause instanceof z.ZodError && cause.issues.some(isCustom);
}

function refusalOf(error: unknown): { code: string | undefined; parts: Partial<Problem> } {
  const { code, ...rest } = (error ?? {}) as Record<string, unknown>;
  const parts: Partial<Problem> = {};
  for (const part of ['got', 'expected', 'where', 'remedy'] as const) {
    const text = rest[part];
    if (typeof text === 'string') parts[part] = text;
  }
  return { code: typeof code === 'string' ? code : undefined, parts };
}
