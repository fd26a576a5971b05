import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports of loopback that nothing listens on.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const servers = [];
  for (let number = 0; number < count; number++) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  const ports = servers.map((server) => server.address().port);
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
  return ports;
}
