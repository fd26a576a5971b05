import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { EventFeeds, type StateSource } from './event-feeds.js';

/** A source whose states are given out by the test, and how many of it run. */
class Ticks {
  running = 0;
  begun = 0;
  count = 0;

  readonly source: StateSource = async function* (this: Ticks, signal: AbortSignal): AsyncGenerator<object, void> {
    this.begun += 1;
    this.running += 1;
    try {
      for (let shown = -1; !signal.aborted; await sleep(5)) {
        if (shown === this.count) continue;
        shown = this.count;
        yield { count: shown };
      }
    } finally {
      this.running -= 1;
    }
  }.bind(this);
}

const followers: AbortController[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.abort();
});

/** Follows, and takes the first state. */
async function follow(feeds: EventFeeds, { source }: Ticks) {
  const gone = new AbortController();
  followers.push(gone);
  const events = feeds.follow('cluster', 'cluster', source, gone.signal);
  const next = async (): Promise<string> => String((await events.next()).value);
  return { first: await next(), next, leave: () => (gone.abort(), events.next()) };
}

test('any number who follow the same have one loop between them', async () => {
  const [feeds, ticks] = [new EventFeeds(), new Ticks()];
  const [one, other] = await Promise.all([follow(feeds, ticks), follow(feeds, ticks)]);
  expect([one.first, other.first]).toEqual(Array(2).fill('event: cluster\ndata: {"count":0}\n\n'));
  const both = Promise.all([one.next(), other.next()]);
  ticks.count = 1;
  expect(await both).toEqual(Array(2).fill('event: cluster\ndata: {"count":1}\n\n'));
  expect([ticks.begun, ticks.running, feeds.open]).toEqual([1, 1, 1]);
});

test('the loop ends with the last who follows, and whoever comes while it ends begins another, of which there is one', async () => {
  const [feeds, ticks] = [new EventFeeds(), new Ticks()];
  const one = await follow(feeds, ticks);
  // both at once: the loop that is ending is not followed any more
  const [, other] = await Promise.all([one.leave(), follow(feeds, ticks)]);
  await expect.poll(() => ticks.running).toBe(1);
  await other.leave();
  await expect.poll(() => ticks.running).toBe(0);
  expect(feeds.open).toBe(0);
  await follow(feeds, ticks);
  expect([ticks.running, feeds.open]).toEqual([1, 1]);
});
