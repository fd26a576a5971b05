import { expect, test } from 'vitest';
import { LatestFailure } from './latest-failure.js';

test('the latest failure counts for ten seconds, and until something succeeds', () => {
  let now = 0;
  const latest = new LatestFailure(() => now);
  latest.observe('SlowDown');
  expect(latest.name).toBe('SlowDown');
  now = 10_001;
  expect(latest.name).toBeNull();
  latest.observe('SlowDown');
  latest.observe('ok');
  expect(latest.name).toBeNull();
});

test('what a server says of one object is no failure of the server', () => {
  const latest = new LatestFailure();
  for (const outcome of ['NoSuchKey', 'PreconditionFailed']) {
    latest.observe('SlowDown');
    latest.observe(outcome);
    expect(latest.name).toBeNull();
  }
});
