import type { Redis } from 'ioredis';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RedisWatch } from './redis-watch.js';

class Stub extends EventEmitter {
  readonly status = 'ready';
  readonly options = { host: 'redis', port: 6379 };
  policy = 'noeviction';
  refusal: string | null = null;

  set(): Promise<string> {
    if (this.refusal === null) return Promise.resolve('OK');
    return Promise.reject(Object.assign(new Error(this.refusal), { name: 'ReplyError' }));
  }

  info(): Promise<string> {
    return Promise.resolve(`maxmemory_policy:${this.policy}\r\n`);
  }
}

let stub: Stub;
let watch: RedisWatch;
let changes: (string | null)[];

beforeEach(() => {
  vi.useFakeTimers();
  stub = new Stub();
  watch = new RedisWatch(stub as unknown as Redis, { prefix: '{orchard}', owner: '{orchard}:owner' });
  changes = [];
  watch.onChange(() => changes.push(watch.outage?.reason ?? null));
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test('a full disk of the server is no silence: what it says is the reason, with the remedy', async () => {
  stub.refusal = 'MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk.';
  await vi.advanceTimersByTimeAsync(6_000);
  expect(changes).toEqual([expect.stringMatching(/redis:6379: got "MISCONF.*Make room on the disk of Redis/)]);
  expect(watch.outage).toMatchObject({ isAnswering: true });
  stub.refusal = null;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(changes.at(-1)).toBeNull();
});

test('a connection that is refused and closed again and again is refused, and reported once', () => {
  for (let time = 0; time < 5; time++) {
    stub.emit('error', Object.assign(new Error('WRONGPASS invalid username-password pair'), { name: 'ReplyError' }));
    stub.emit('close');
  }
  expect(changes).toEqual([expect.stringContaining('ORCHARD_REDIS_URL')]);
});

test('a policy that was changed after the start is a warning within a minute, until it is changed back', async () => {
  stub.policy = 'allkeys-lru';
  await vi.advanceTimersByTimeAsync(34_000);
  expect(watch.warning).toMatch(/maxmemory-policy allkeys-lru.*noeviction/);
  expect(watch.outage).toBeNull();
  stub.policy = 'noeviction';
  await vi.advanceTimersByTimeAsync(34_000);
  expect(watch.warning).toBeNull();
});
