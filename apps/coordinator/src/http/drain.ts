import type { Request } from 'express';

const DRAIN_MILLISECONDS = 5000;

/** Reads past what is left of a refused body for a while: a client that is still sending would miss the answer. */
export function drain(request: Request): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_MILLISECONDS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
