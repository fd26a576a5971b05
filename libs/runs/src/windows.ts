/** A run as the windows see it. */
export interface Claim<Item> {
  /** Pieces of work that are in the queue or being worked on. */
  readonly held: number;
  /** What could be put into the queue, first things first. */
  readonly next: Iterator<Item>;
}

/** No run's window is smaller, however many runs there are. */
const leastWindow = 2;

/**
 * What to add to a queue that is first in, first out, so that it holds about `target` jobs, of every run equally many, in
 * turns: one of each run, then the next of each. A run that begins waits for at most `target` jobs of others, however many
 * dimensions they have.
 *
 * @param target jobs in the queue: enough that no worker waits for the next filling
 */
export function fillWindows<Item>(claims: readonly Claim<Item>[], target: number): Item[] {
  const window = Math.max(leastWindow, Math.ceil(target / Math.max(1, claims.length)));
  const added: Item[] = [];
  let open = claims.map(({ held, next }) => ({ held, next }));
  while (open.length > 0) {
    // the run that holds least goes first
    open = open.filter((claim) => claim.held < window).sort((a, b) => a.held - b.held);
    for (const claim of [...open]) {
      const { done, value } = claim.next.next();
      if (done === true) open.splice(open.indexOf(claim), 1);
      else {
        added.push(value);
        claim.held++;
      }
    }
  }
  return added;
}
