import { expect, test } from 'vitest';
import { patience, startUnderGuardian } from '../../infra/servers/supervise.mjs';

/** A server that answers a second after its start, as far as this is asked. */
const slowServer = () => {
  const begun = performance.now();
  return {
    plan: () => ({ command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'] }),
    isReady: () => Promise.resolve(performance.now() > begun + 1000),
    attempts: 1,
    port: undefined,
    directory: undefined,
  };
};

test('a server is waited for as long as is said, and told to have been silent for longer', async () => {
  await expect(startUnderGuardian({ ...slowServer(), ready: 100 })).rejects.toThrow(/was not ready after \d s/);
  const server = await startUnderGuardian({ ...slowServer(), ready: 20_000 });
  await server.stop();
});

test('where more programs want to run than there are processors, a start may take longer in proportion, up to six times', () => {
  expect([0.2, 1, 3, 50].map((share) => patience(20_000, share))).toEqual([20_000, 20_000, 60_000, 120_000]);
});
