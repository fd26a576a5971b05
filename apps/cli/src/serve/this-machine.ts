import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../output/errors.js';

/** What answers this machine. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens for this machine alone. @returns its address. @throws UsageError for a port that is taken */
export async function listenHere(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw cannotListen(error, port);
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Takes no requests any more, and ends those that are open. */
export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** Whether it is asked by its own name: a page of another site may reach this machine by a name of its own. */
export function isAskedHere({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const name = host.replace(/:\d+$/, '');
  return ['127.0.0.1', 'localhost'].includes(name) && (origin === undefined || origin === `http://${host}`);
}

/** What a person can do about a port that is taken; any other error as it is. */
function cannotListen(error: unknown, port: number): unknown {
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
