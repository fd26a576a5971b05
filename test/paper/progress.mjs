/** Milliseconds between two lines about how far a part is. */
const OFTEN = 3000;

/** Says how far a part is, unless it did so just now. @returns when it was last said: what the next call is given */
export function sayOften(last, text) {
  const now = performance.now();
  if (now - last < OFTEN) return last;
  console.error(`paper: ${text}`);
  return now;
}
