import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startHarness } from '../harness.suite.js';

test('a connection on which nothing was asked, as browsers open in advance, does not keep the coordinator from stopping', async () => {
  const harness = await startHarness();
  const { hostname, port } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  // answered on another connection: by then the server knows of the first
  expect((await harness.ask('/v1/caller')).status).toBe(200);
  const closed = once(socket.resume(), 'close');
  await harness.stop();
  await closed;
});
