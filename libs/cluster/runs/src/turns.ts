/** No person's window is smaller, however many there are. */
const leastWindow = 2;

/** A run's claim on the queue. */
export interface Claim<Item> {
  /** Whose share it is part of. */
  readonly person: string;
  /** Its jobs that are in the queue or being worked on. */
  readonly held: number;
  /** The same, where each job counts as one. */
  readonly jobs: number;
  /** What could be put into the queue, first things first. */
  readonly next: Iterator<Item>;
  /** Of a person's runs the one with the least goes first. */
  turn: number;
  /** What one job adds to it: less of a run that matters more. */
  readonly step: number;
}

interface Share<Item> {
  held: number;
  jobs: number;
  claims: Claim<Item>[];
}

/**
 * What to add to a queue that is first in, first out, so that it holds about `target` jobs, of every person equally
 * many, in turns: one of each person, then the next of each. A person who begins waits for at most `target` jobs of
 * others, however many runs they submitted and however many dimensions these have. Within a person's share the runs
 * take turns, by their steps.
 *
 * @param target jobs in the queue: enough that no worker waits for the next dispatch
 * @param weightOf how many jobs one is counted as
 * @param most jobs to add
 * @param mostOfPerson jobs that a person may have at once
 */
export function fillWindows<Item>(
  claims: readonly Claim<Item>[],
  target: number,
  weightOf: (item: Item) => number = () => 1,
  most = Infinity,
  mostOfPerson = Infinity,
): Item[] {
  const shares = new Map<string, Share<Item>>();
  for (const claim of claims) {
    const share = shares.get(claim.person) ?? { held: 0, jobs: 0, claims: [] };
    share.held += claim.held;
    share.jobs += claim.jobs;
    share.claims.push(claim);
    shares.set(claim.person, share);
  }
  const window = Math.max(leastWindow, Math.ceil(target / Math.max(1, shares.size)));
  const added: Item[] = [];
  let open = [...shares.values()];
  while (open.length > 0) {
    // who holds least goes first
    open = open
      .filter(({ held, jobs, claims: own }) => held < window && jobs < mostOfPerson && own.length > 0)
      .sort((a, b) => a.held - b.held);
    for (const share of open) {
      if (added.length >= most) return added;
      const item = nextOf(share);
      if (item === null) continue;
      added.push(item.value);
      share.held += weightOf(item.value);
      share.jobs += 1;
      item.claim.turn += item.claim.step * weightOf(item.value);
    }
  }
  return added;
}

/** The first thing of the run whose turn it is; runs that have nothing more are taken from the share. */
function nextOf<Item>(share: Share<Item>): { readonly claim: Claim<Item>; readonly value: Item } | null {
  while (share.claims.length > 0) {
    const claim = share.claims.reduce((first, one) => (one.turn < first.turn ? one : first));
    const { done, value } = claim.next.next();
    if (done !== true) return { claim, value };
    share.claims.splice(share.claims.indexOf(claim), 1);
  }
  return null;
}
