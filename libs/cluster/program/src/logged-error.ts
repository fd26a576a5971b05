import { stackBySources } from '@orchard/pipeline';
import { withoutArguments } from '@orchard/queue';

/** What a line of the log has of an error. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
  readonly [fact: string]: unknown;
}

/**
 * The facts about an error that a log may have. All others are left out: clients hang onto their errors what they sent,
 * and a command to Redis may hold its password.
 */
const facts = ['code', 'syscall', 'address', 'port', 'path', 'got', 'expected', 'where', 'remedy'] as const;
/** A chain of causes that is longer says nothing more. */
const mostCauses = 8;

/** An error as the log has it: its words, its place and its causes, never the command that failed. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutArguments(String(error)) };
  const given = error as Error & Readonly<Record<string, unknown>>;
  const own = Object.fromEntries(
    facts.filter((fact) => isPlain(given[fact])).map((fact) => [fact, withoutArguments(String(given[fact]))]),
  );
  return {
    type: error.name,
    message: withoutArguments(error.message),
    ...own,
    ...(error.stack !== undefined && { stack: withoutArguments(stackBySources(error.stack)) }),
    ...(error.cause !== undefined && depth < mostCauses && { cause: loggedError(error.cause, depth + 1) }),
  };
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
