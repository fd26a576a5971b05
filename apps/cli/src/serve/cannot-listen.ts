import { UsageError } from '../errors.js';

/** What a person can do about a port that is taken; any other error as it is. */
export function cannotListen(error: unknown, port: number): unknown {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  return new UsageError(
    {
      got: `port ${String(port)}, which ${code === 'EACCES' ? 'this user may not take' : 'another program has'}`,
      expected: 'a free port',
      where: '--port',
      remedy: 'Give another, or --port 0 for any that is free.',
    },
    { cause: error },
  );
}
