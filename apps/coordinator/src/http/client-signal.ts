import type { Request } from 'express';

/** Aborts when the client leaves: what is computed for it is not needed any more. */
export function signalOf(request: Request): AbortSignal {
  const gone = new AbortController();
  const { socket } = request;
  const onClose = (): void => {
    gone.abort();
  };
  if (socket.destroyed) onClose();
  socket.once('close', onClose);
  request.res?.once('finish', () => socket.off('close', onClose));
  return gone.signal;
}
