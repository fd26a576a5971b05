const listeners = new Set<() => void>();

/**
 * Tells a command when the reader of its results has gone, as `| head` does, instead of the process ending at once: it
 * has something to keep first.
 *
 * @returns what ends that
 */
export function listenForReaderGone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns whether there was a reader to tell */
export function tellReaderGone(): boolean {
  listeners.forEach((listener) => listener());
  return listeners.size > 0;
}
