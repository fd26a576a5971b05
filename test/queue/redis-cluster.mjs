// npm run redis-cluster: tries the queue on a Redis Cluster of three nodes on this machine, by a whole run, and says
// what came of it. All keys of the queue begin with {orchard}, so they are of one slot, and one node holds them all.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { startCluster } from '../../infra/cluster/index.mjs';
import { readCommandLine } from '../../infra/command-line.mjs';
import { findRedis } from '../../infra/servers/redis.mjs';
import { startUnderGuardian } from '../../infra/servers/supervise.mjs';

readCommandLine(
  'redis-cluster',
  `npm run redis-cluster

Starts three nodes of a Redis Cluster on this machine and does a run with its queue on them; there are no options.
The exit code is 1 where the run does not end as it should.`,
);

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const slots = 16_384;
const prefix = '{orchard}';

const found = await findRedis({ own: true });
if (found.image)
  throw new Error(
    `got ${found.what}, expected a server that can be started here: install redis-server or valkey-server`,
  );
const nodes = await Promise.all([0, 1, 2].map(() => startNode(found.command)));
const clients = nodes.map(({ port }) => new Redis({ port, host: '127.0.0.1' }));
const folder = await mkdtemp(join(tmpdir(), 'orchard-redis-cluster-'));
/** @type {import('../../infra/cluster/index.mjs').Cluster | null} */
let cluster = null;
try {
  await formCluster();
  const server = await clients[0].info('server');
  const [version] = /valkey_version:\S+/.exec(server) ?? /redis_version:\S+/.exec(server) ?? [];
  console.log(`server       ${version}, 3 nodes, cluster-enabled`);
  const owner = await ownerOf(prefix);
  console.log(`${prefix}    all keys in one slot, of node ${owner + 1}`);

  cluster = await start(owner);
  const rows = (/** @type {string} */ split) => join(root, 'test/data/mushrooms', `${split}.data.gz`);
  const files = [rows('train'), '--valid', rows('valid'), '--test', rows('test')];
  const words = ['--preset', 'paper', '--leaves', '4', '--rounds', '4'];
  await orchard('train', ...files, ...words, '--out', join(folder, 'here'), '--quiet');
  const { stdout } = await orchard('submit', ...files, ...words, '--watch', '--json', '--quiet');
  const id = String(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').id);
  const answer = await fetch(`${cluster.url}/v1/runs/${id}/network`, {
    headers: { Authorization: `Bearer ${cluster.token}` },
  });
  const there = sha256Of(Buffer.from(await answer.arrayBuffer()));
  const here = sha256Of(await readFile(join(folder, 'here', 'network.msgpack')));
  const isSame = here === there;
  console.log(
    `its own node a run from submission to model: ${isSame ? 'done, the bytes of orchard train' : 'OTHER BYTES'}`,
  );
  const kept = await Promise.all(clients.map((client) => client.dbsize()));
  console.log(`keys         by node: ${kept.join(', ')}`);
  await cluster.stop();

  const refusal = await start((owner + 1) % nodes.length).then(
    async (other) => {
      await other.stop();
      return 'started';
    },
    (error) => (error instanceof Error ? error.message : String(error)),
  );
  console.log(`another node ${/MOVED[^\n"]*/.exec(refusal)?.[0] ?? refusal.slice(0, 400)}`);
  process.exitCode = isSame ? 0 : 1;
} finally {
  await cluster?.stop();
  for (const client of clients) client.disconnect();
  await Promise.all(nodes.map((node) => node.stop()));
  await rm(folder, { recursive: true, force: true });
}

/** @param {string} command */
function startNode(command) {
  return startUnderGuardian({
    port: undefined,
    directory: undefined,
    isReady: async (port) => {
      const client = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => undefined);
      return client.connect().then(
        () => (client.disconnect(), true),
        () => false,
      );
    },
    plan: (port, directory) => {
      const bus = String(port > 55_535 ? port - 10_000 : port + 10_000);
      const own = ['--cluster-enabled', 'yes', '--cluster-port', bus, '--maxmemory-policy', 'noeviction'];
      return {
        command,
        args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', '', ...own],
      };
    },
  });
}

/** Gives each node a third of the slots and has them meet. */
async function formCluster() {
  const share = Math.ceil(slots / clients.length);
  for (const [at, client] of clients.entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', at * share, Math.min(slots, (at + 1) * share) - 1);
    const bus = nodes[0].port > 55_535 ? nodes[0].port - 10_000 : nodes[0].port + 10_000;
    if (at > 0) await client.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0].port, bus);
  }
  for (const client of clients) {
    while (!/cluster_state:ok[^]*cluster_known_nodes:3/.test(String(await client.call('CLUSTER', 'INFO'))))
      await sleep(100);
  }
}

/** @param {string} key */
async function ownerOf(key) {
  const slot = Number(await clients[0].call('CLUSTER', 'KEYSLOT', key));
  return Math.floor(slot / Math.ceil(slots / clients.length));
}

/** @param {number} node */
function start(node) {
  const { port } = nodes[node];
  const redis = /** @type {any} */ ({ url: `redis://127.0.0.1:${port}`, stop: async () => undefined });
  return startCluster({ workers: 2, threads: 1, redis, environment: { ORCHARD_REDIS_PREFIX: prefix } });
}

/** @param {...string} args */
async function orchard(...args) {
  const env = { ...process.env, ORCHARD_SERVER: cluster?.url ?? '', ORCHARD_TOKEN: cluster?.token ?? '' };
  return run(process.execPath, [join(root, 'apps/cli/program/main.js'), ...args], { env });
}

/** @param {Uint8Array} bytes */
function sha256Of(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
