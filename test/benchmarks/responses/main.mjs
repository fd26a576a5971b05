// npm run bench:responses: how long others wait while the coordinator does the most that a request may ask of it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { BitMatrix } from '@orchard/dataset';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { startCluster } from '../../../infra/cluster/index.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

const questionsToModels = ['score', 'complete', 'sample'];
const requests = ['idle', 'packed', 'text', 'describe', 'split', 'train', ...questionsToModels];
const usage = `npm run bench:responses [-- options]

A cluster of one worker. While it does what one client asks, another asks for GET /v1/runs, again and again. Of each request: its own
seconds, how long the other waited (median, 99th percentile, longest), for how long the event loops of coordinator and worker were held at most,
and the most processor time that their main threads used without a turn of the loop: what their own work held it for, on a machine that is busy
with something else too. Milliseconds. The goals: 100 at the 99th percentile for the other, 50 for an event loop. Questions to a model are the
largest that are accepted, found by halving. Linux only.

  --mib N        of each file that is uploaded (64)
  --only A,B     some of ${requests.join(',')} (all)
  --json         one JSON document on standard output; the table then goes to standard error`;

const given = readCommandLine('bench:responses', usage, {
  mib: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean' },
});
const mib = given.amount('mib', { otherwise: 64 });
const wanted = given.someOf('only', requests);
const print = given.values.json === true ? console.error : console.log;

/** Between two questions of the other client, in milliseconds. */
const PAUSE = 10;
/** How long it asks where nothing else is done. */
const IDLE_SECONDS = 5;
const COLUMNS = 16;
/** Of the table that a model is trained on. */
const TRAINED_BYTES = 3e5;

await runPlainly('bench:responses', async () => {
  const folder = temporaryFolder('responses');
  const files = writeFiles(folder);
  const preload = pathToFileURL(fileURLToPath(new URL('loop-delay.mjs', import.meta.url)));
  const cluster = await startCluster({
    workers: 1,
    threads: 1,
    environment: {
      NODE_OPTIONS: `--import=${preload.href}`,
      ORCHARD_LOOP_DELAYS: folder,
      ORCHARD_MAX_REQUESTS_PER_SECOND: '1000',
    },
  });
  const client = fork(fileURLToPath(new URL('client.mjs', import.meta.url)));
  try {
    const measured = [];
    print(`load ${loadavg()[0].toFixed(1)}, files of ${mib} MiB`);
    print(line(['request', 'status', 'seconds', 'GET p50', 'p99', 'max', 'coordinator', 'own', 'worker', 'own']));
    for await (const [name, work] of requestsOf(cluster, files, client)) {
      if (!wanted.includes(name) && name !== 'train') continue;
      const one = { name, ...(await besides(cluster, folder, work)) };
      measured.push(one);
      const { waits, coordinator, worker } = one;
      const loops = [coordinator, worker].flatMap(({ held, own }) => [held.max, own.max]);
      const shown = [one.seconds, waits.p50, waits.p99, waits.max, ...loops].map((value) => value.toFixed(1));
      print(line([name, one.status, ...shown]));
    }
    if (given.values.json === true) console.log(JSON.stringify({ mib, load: loadavg()[0], measured }));
  } finally {
    client.kill();
    await cluster.stop();
  }
});

function line(cells) {
  return cells.map((cell, at) => (at === 0 ? String(cell).padEnd(10) : String(cell).padStart(12))).join('');
}

/** Each request by its name; the later ones ask the model that `train` has made. */
async function* requestsOf(cluster, files, client) {
  const send = async (path, type, body) => {
    client.send({ url: cluster.url + path, token: cluster.token, type, ...body });
    const [{ status, text, failure }] = await once(client, 'message');
    if (failure !== undefined) throw new Error(`POST ${path}: ${failure}`);
    return { status, answer: JSON.parse(text) };
  };
  const ask = (path, body, type = 'application/json') => send(path, type, { body });
  const upload = (path, name, type) => send(path, type, { file: files[name] });
  yield ['idle', () => sleep(IDLE_SECONDS * 1000).then(() => ({ status: 200 }))];
  yield ['packed', () => upload('/v1/datasets', 'packed', 'application/vnd.orchard.matrix')];
  yield ['text', () => upload('/v1/datasets', 'text', 'text/csv')];
  yield ['describe', () => upload('/v1/datasets?describe=true', 'table', 'text/csv')];
  yield ['split', () => upload('/v1/datasets?valid-fraction=0.1', 'table', 'text/csv')];
  if (!['train', ...questionsToModels].some((name) => wanted.includes(name))) return;
  const { answer: small } = await ask('/v1/datasets?valid-fraction=0.1', textOfTable(TRAINED_BYTES), 'text/csv');
  const { train, valid, model } = small;
  let run = '';
  yield [
    'train',
    async () => {
      const submitted = await ask('/v1/runs', JSON.stringify({ train, valid, model, rounds: 150 }));
      run = submitted.answer.id;
      for (;;) {
        const headers = { Authorization: `Bearer ${cluster.token}` };
        const { state } = await (await fetch(`${cluster.url}/v1/runs/${run}`, { headers })).json();
        if (state === 'done') return submitted;
        if (state === 'failed') throw new Error('the run failed');
        await sleep(200);
      }
    },
  ];
  const rows = [...textOfTable(1e5).split('\n').slice(1, 1001)].map((text) => text.split(','));
  const names = textOfTable(0).trim().split(',');
  const unknown = rows.map((row) => row.map((cell, at) => (at % 2 === 0 ? cell : null)));
  const path = `/v1/networks/${run}`;
  const questions = {
    score: [1000, (count) => ({ rows: rows.slice(0, count), names, top: 100 })],
    complete: [1000, (count) => ({ rows: unknown.slice(0, count), names, draws: 100 })],
    sample: [1000, (count) => ({ count })],
  };
  for (const [name, [most, question]] of Object.entries(questions)) {
    if (!wanted.includes(name)) continue;
    let count = most;
    while ((await ask(`${path}/${name}`, JSON.stringify(question(count)))).status === 422) count /= 2;
    yield [name, () => ask(`${path}/${name}`, JSON.stringify(question(count)))];
  }
}

/** @returns what another client waits meanwhile, and what the event loops were held */
async function besides(cluster, folder, work) {
  const programs = { coordinator: cluster.coordinator, worker: cluster.workers[0] };
  await Promise.all(Object.values(programs).map(({ pid }) => delaysOf(pid, folder)));
  let isOver = false;
  const begun = performance.now();
  const done = work().finally(() => (isOver = true));
  const waits = [];
  const headers = { Authorization: `Bearer ${cluster.readToken}` };
  do {
    const asked = performance.now();
    const response = await fetch(`${cluster.url}/v1/runs`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET /v1/runs: ${response.status}`);
    waits.push(performance.now() - asked);
    await sleep(PAUSE);
  } while (!isOver);
  const { status } = await done;
  const seconds = (performance.now() - begun) / 1000;
  waits.sort((a, b) => a - b);
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))];
  const [coordinator, worker] = await Promise.all(Object.values(programs).map(({ pid }) => delaysOf(pid, folder)));
  return {
    status,
    seconds,
    waits: { count: waits.length, p50: at(0.5), p99: at(0.99), max: at(1) },
    coordinator,
    worker,
  };
}

/** Of a program since they were asked for last. */
async function delaysOf(pid, folder) {
  const path = join(folder, String(pid));
  rmSync(path, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      await sleep(20);
    }
  }
}

/** What is uploaded, as far as it was asked for, each in a file. @returns their paths by name */
function writeFiles(folder) {
  const bytes = mib * 2 ** 20;
  const made = {
    packed: () => [packedBits()],
    text: () => repeated(blockOfBits(), bytes),
    table: () => linesOfTable(bytes),
  };
  const users = { packed: ['packed'], text: ['text'], table: ['describe', 'split'] };
  const paths = {};
  for (const [name, chunks] of Object.entries(made)) {
    if (!users[name].some((one) => wanted.includes(one))) continue;
    paths[name] = join(folder, name);
    const file = openSync(paths[name], 'w');
    for (const chunk of chunks()) writeSync(file, chunk);
    closeSync(file);
  }
  return paths;
}

function packedBits() {
  const bits = BitMatrix.create(Math.ceil((mib * 2 ** 20) / 128), 1024);
  for (let at = 0; at < bits.bytes.length; at++) bits.bytes[at] = (at * 37) % 251;
  return new Uint8Array(bits.buffer);
}

function blockOfBits() {
  const row = (number) =>
    Array.from({ length: 128 }, (_, column) => ((number * column) % 3 === 0 ? '1' : '0')).join(',');
  return `${Array.from({ length: 1024 }, (_, number) => row(number)).join('\n')}\n`;
}

function* repeated(block, bytes) {
  for (let length = 0; length < bytes; length += block.length) yield block;
}

function textOfTable(bytes) {
  return [...linesOfTable(bytes)].join('');
}

/** A table of numbers and labels that lean on each other, so long; some thousand lines at once. */
function* linesOfTable(bytes) {
  const names = Array.from({ length: COLUMNS }, (_, at) => (at % 4 === 3 ? `label${at}` : `number${at}`));
  const row = (number) =>
    Array.from({ length: COLUMNS }, (_, at) => {
      const value = (number * (at + 3) * 7919 + (number % 13) * 104_729) % 10_007;
      return at % 4 === 3 ? ['fir', 'oak', 'ash', 'elm'][value % 4] : (value / 16).toFixed(3);
    }).join(',');
  let chunk = `${names.join(',')}\n`;
  let length = chunk.length;
  for (let number = 0; length < bytes; number++) {
    const line = `${row(number)}\n`;
    chunk += line;
    length += line.length;
    if (chunk.length < 2 ** 16) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
