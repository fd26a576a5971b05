import { Refusal } from '@orchard/refusal';

/**
 * Waits for a server to listen.
 *
 * @param variable that names the port
 * @throws Refusal `invalid-configuration` where the port cannot be had
 */
export async function listening<T>(start: Promise<T>, variable: string, port: number): Promise<T> {
  try {
    return await start;
  } catch (error) {
    const { code } = (error ?? {}) as { code?: unknown };
    const why = reasons[String(code)];
    if (why === undefined) throw error;
    throw new Refusal(
      'invalid-configuration',
      {
        got: `port ${port}, ${why}`,
        expected: 'a port of its own',
        where: variable,
        remedy: `Set ${variable} to another port, or to 0 for any that is free.`,
      },
      { cause: error },
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'where another program listens',
  EACCES: 'which this user may not take',
  EADDRNOTAVAIL: 'at an address that this machine does not have',
};
