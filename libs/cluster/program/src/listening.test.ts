import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from './listening.js';

function listen(port: number): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  const started = once(server, 'listening').then(() => (server.address() as AddressInfo).port);
  server.listen(port, '127.0.0.1');
  return started;
}

test('a port where another program listens is refused, with the variable that names it and what to do', async () => {
  const port = await listening(listen(0), 'ORCHARD_PORT', 0);
  await expect(listening(listen(port), 'ORCHARD_PORT', port)).rejects.toMatchObject({
    code: 'invalid-configuration',
    message: expect.stringContaining(`port ${String(port)}, where another program listens`) as string,
  });
  await expect(listening(listen(port), 'ORCHARD_PORT', port)).rejects.toThrow('Set ORCHARD_PORT to another port');
});

test('an error that is not of the port is passed on as it is', async () => {
  const error = new Error('no memory');
  await expect(listening(Promise.reject(error), 'ORCHARD_PORT', 1)).rejects.toBe(error);
});
