// npm run cluster: a whole cluster on this machine, without containers, until Ctrl-C.
import { resolve } from 'node:path';
import { readCommandLine } from '../command-line.mjs';
import { DataFolderError, openDataFolder } from './data-folder.mjs';
import { startCluster } from './index.mjs';
import { whyTaken } from './why-taken.mjs';

const usage = `npm run cluster [-- options]

  --workers N   worker processes (default: 2)
  --threads N   threads of each (default: all cores, shared among the workers)
  --port P      of the coordinator (default: a free one)
  --host NAME   what other machines call this one: they may start workers for it (default: this machine alone)
  --data DIR    keeps what is stored, and the token, in DIR, which the next start with it finds again (default: nothing is kept)
  --json        one line of JSON when ready: url, token, redis, s3, and the processes; then only logs, on standard error`;

const text = /** @type {const} */ ({ type: 'string' });
const given = readCommandLine('cluster', usage, {
  workers: text,
  threads: text,
  port: text,
  host: text,
  data: text,
  json: { type: 'boolean' },
});
const { values } = given;
const workers = given.whole('workers', { from: 1, otherwise: 2 });
const threads = given.whole('threads', { from: 1 });
const port = given.whole('port', { from: 1 });
const { host } = values;
if (host !== undefined && !/^[\w.-]+$/.test(host))
  given.refuse(`got --host ${JSON.stringify(host)}, expected the name or IPv4 address of this machine.`);

if (port !== undefined) {
  const reason = await whyTaken(port, host === undefined ? '127.0.0.1' : '0.0.0.0');
  if (reason !== null)
    given.refuse(
      `got --port ${port}, ${reason}, expected a free port. Give another, or none: then a free one is taken.`,
    );
}

if (values.data === '') given.refuse('got --data without a name, expected a folder.');
const data = values.data === undefined ? undefined : await take(resolve(values.data));

/** @type {import('./index.mjs').Cluster | undefined} */
let cluster;
let ending = false;
const stopping = new AbortController();
/** @param {number} code */
const end = async (code) => {
  if (ending) return;
  ending = true;
  console.error('orchard: stopping the cluster …');
  stopping.abort();
  await starting.catch(() => undefined);
  await cluster?.stop();
  data?.release();
  console.error('orchard: all of it has ended.');
  process.exit(code);
};
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => void end(0));

const starting = startCluster({
  workers,
  ...(threads === undefined ? {} : { threads }),
  port,
  host,
  data,
  signal: stopping.signal,
  onLog: (program, line) => console.error(`${program.padEnd(12)}${line}`),
});
try {
  cluster = await starting;
} catch (error) {
  // a start that was stopped is ended where it was
  if (!ending) {
    console.error(`orchard: ${error instanceof Error ? error.message : String(error)}`);
    data?.release();
    process.exit(1);
  }
}
if (!ending && cluster) announce(cluster);
// the guardians keep no process waiting; this one waits for a signal
setInterval(() => undefined, 2 ** 30);

/**
 * An address as others reach it.
 *
 * @param {string} url
 */
function reached(url) {
  return host === undefined ? url : url.replace('127.0.0.1', host);
}

/**
 * What starts one more worker of a running cluster.
 *
 * @param {import('./index.mjs').Cluster} running
 */
function workerLine({ env }) {
  const names = [
    'ORCHARD_REDIS_URL',
    'ORCHARD_STORE',
    'ORCHARD_S3_ENDPOINT',
    'ORCHARD_S3_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
  ];
  const variables = names.map((name) => `${name}=${reached(env[name] ?? '')}`).join(' ');
  return `${variables} ORCHARD_HEALTH_PORT=0 node apps/worker/program/main.js`;
}

/** @param {string} path */
async function take(path) {
  try {
    return await openDataFolder(path);
  } catch (error) {
    if (error instanceof DataFolderError) return given.refuse(`got --data ${path}, ${error.message}.`);
    console.error(`orchard: ${error instanceof Error ? error.message : String(error)}`);
    return process.exit(1);
  }
}

/** @param {import('./index.mjs').Cluster} running */
function announce(running) {
  const { token, redis, s3, coordinator, selector } = running;
  const url = reached(running.url);
  if (values.json) {
    const pids = running.workers.map(({ pid }) => pid);
    const processes = { workers: pids, coordinator: coordinator.pid, selector: selector.pid };
    const kept = data && { data: data.path };
    console.log(JSON.stringify({ url, token, redis: redis.url, s3: s3.url, ...processes, ...kept }));
  } else {
    console.log(`
Store: ${running.env['ORCHARD_STORE']} at ${reached(s3.url)}, access key ${s3.accessKeyId}, secret ${s3.secretAccessKey}
Another worker, ${host === undefined ? 'on this machine (for others: --host NAME)' : 'on any machine that reaches this one'}, in a clone of this release after npm ci && npm run build:

  ${workerLine(running)}

Train on it:

  export ORCHARD_SERVER=${url} ORCHARD_TOKEN=${token}
  npm run -s orchard -- submit test/data/mushrooms/train.data.gz --valid test/data/mushrooms/valid.data.gz --watch

${data?.isNew === false ? `It has what was stored in ${data.path} before.\n` : ''}API: ${url}/docs   Queues: ${url}/queues   (any user name, the token as the password)
Ctrl-C ends all of it; ${data ? `what it stored stays in ${data.path}` : 'what it stored goes with it'}.

Token: ${token}
The cluster is ready: ${url}
`);
  }
  // without one of these nothing goes on; a worker may come and go
  const vital = {
    coordinator: coordinator.ended,
    selector: selector.ended,
    Redis: redis.ended,
    'the S3 server': s3.ended,
  };
  for (const [name, ended] of Object.entries(vital)) {
    void ended.then((how) => {
      if (ending) return;
      console.error(`orchard: ${name} ${how}`);
      void end(1);
    });
  }
  for (const { name, ended } of running.workers) {
    void ended.then((how) => {
      if (!ending) console.error(`orchard: ${name} ${how}; the others go on`);
    });
  }
}
