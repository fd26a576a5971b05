import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CoordinatorClient } from './coordinator-client.js';
import type { RunStatus } from './documents.js';

/** Milliseconds. */
const clock = { now: 0 };

/** Waiting takes no time but that of the clock. */
class ClientOfTheClock extends CoordinatorClient {
  protected override wait(milliseconds: number): Promise<void> {
    clock.now += milliseconds;
    return Promise.resolve();
  }
}

const id = 'a'.repeat(64);
const status: RunStatus = {
  ...{ id, state: 'training', submittedAt: '2026-01-01T00:00:00.000Z', choice: {}, reason: null },
  ...{ specification: { train: id, valid: id, test: null }, networks: [], stages: {}, treesPerSecond: 0 },
  ...{ secondsLeft: null, secondsLeftRange: null, logLikelihood: null, quarantined: [], notices: [] },
};

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The states that a client sees, and what it says, of a coordinator that is away from its first event on. */
async function followed(first: RunStatus['state'] | null, minutesAway: number): Promise<readonly string[]> {
  const began = clock.now;
  let event = first;
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    if (clock.now - began > minutesAway * 60_000) event = 'done';
    if (event === null) return Promise.reject(new TypeError('fetch failed', { cause: new Error('refused') }));
    const body = `event: status\ndata: ${JSON.stringify({ ...status, state: event })}\n\n`;
    event = null;
    return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }));
  });
  const said: string[] = [];
  const client = new ClientOfTheClock({ server: 'http://coordinator', token: null });
  for await (const { state } of client.follow(id, (why) => said.push(why))) said.push(state);
  return said;
}

const away =
  'http://coordinator cannot be reached (refused). Check the address (--server, ORCHARD_SERVER), and that a coordinator listens there.';

test('a run is followed over minutes without a coordinator, as when a release is rolled out, which is said once', async () => {
  expect(await followed('training', 5)).toEqual(['training', away, 'done']);
});

test('a coordinator that stays away is given up after ten minutes, one that was never there after half a minute', async () => {
  const began = clock.now;
  await expect(followed('training', 20)).rejects.toThrow(away);
  const later = clock.now;
  expect((later - began) / 60_000).toBeCloseTo(10, 0);
  await expect(followed(null, 20)).rejects.toThrow(away);
  expect((clock.now - later) / 1000).toBeLessThan(45);
});
