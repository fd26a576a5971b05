import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends the connections that carry no request once the server stops, and lets the others finish theirs. Node does so for
 * a connection that has carried one before, and waits for ever for one that never has: browsers open such in advance.
 */
export function endQuietConnections(server: Server, stopping: AbortSignal): void {
  const quiet = new Set<Socket>();
  const rest = (socket: Socket): void => {
    if (stopping.aborted) socket.destroySoon();
    else quiet.add(socket);
  };
  server.on('connection', (socket: Socket) => {
    rest(socket);
    socket.once('close', () => quiet.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    quiet.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) rest(socket);
    });
  });
  stopping.addEventListener('abort', () => {
    for (const socket of quiet) socket.destroySoon();
  });
}
