// A cluster of containers from its start to its end, as README and compose file have people start it, with one of the
// S3 servers.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowed, attempt } from '../store-keys/attempts.mjs';
import { freePorts } from './free-ports.mjs';
import { run } from './run.mjs';
import { until } from './until.mjs';
import { wordsOfRun } from './words-of-run.mjs';

const startMilliseconds = 180_000;
const runMilliseconds = 600_000;

/**
 * @typedef {object} Stage
 * @property {import('./engine.mjs').Engine} engine
 * @property {string} root of the clone
 * @property {string} folder an empty one
 * @property {(what: string, ok: boolean, problem?: string) => void} report
 *
 * @param {'versitygw' | 'minio'} store
 * @param {Stage} stage
 */
export async function rehearse(store, stage) {
  const cluster = await prepare(store, stage);
  const { report } = stage;
  try {
    await refusesExampleSecrets(cluster, stage);
    await up(cluster);
    report(`${store}: a cluster starts`, true);
    await checkConfinement(cluster, stage);
    await trainWithADeath(cluster, stage);
    await checkKeys(cluster, stage, 'after the first start');
    await cluster.compose(['down']);
    await up(cluster);
    report(`${store}: all of it starts again on what it stored`, true);
    const again = await fetchModel(cluster, cluster.done?.id ?? '', join(stage.folder, 'fetched-again'));
    report(`${store}: the model of before is there, byte for byte`, again.equals(cluster.done?.model ?? Buffer.of()));
    await checkKeys(cluster, stage, 'after the second');
    await trainTheSame(cluster, stage);
  } catch (error) {
    for (const service of ['coordinator', 'worker', 'selector', 'store-keys', 's3']) {
      console.error(await cluster.compose(['logs', '--no-color', '--tail', '15', service]).catch(String));
    }
    throw error;
  } finally {
    await cluster
      .compose(['down', '--volumes', '--timeout', '10'])
      .catch((error) => report(`${store}: it ends`, false, error.message));
  }
  const mark = ['--filter', `label=com.docker.compose.project=${cluster.project}`, '--quiet'];
  const left = [
    await stage.engine.run(['ps', '--all', ...mark]),
    await stage.engine.run(['volume', 'ls', ...mark]),
    await stage.engine.run(['network', 'ls', ...mark]),
  ].join('');
  report(`${store}: its end leaves no container, volume or network`, left.trim() === '', left);
}

/** @typedef {Awaited<ReturnType<typeof prepare>>} Cluster */

/** @param {string} store @param {Stage} stage */
async function prepare(store, { engine, root, folder }) {
  mkdirSync(folder, { recursive: true });
  const secret = () => randomBytes(24).toString('hex');
  const [port, storePort] = await freePorts(2);
  const secrets = { coordinator: secret(), selector: secret(), worker: secret() };
  const token = secret();
  const settings = {
    S3_SERVER: store,
    ORCHARD_TOKENS: `check:full:${token}`,
    REDIS_PASSWORD: secret(),
    S3_ACCESS_KEY_ID: 'orchard',
    S3_SECRET_ACCESS_KEY: secret(),
    S3_BUCKET: 'orchard',
    COORDINATOR_S3_SECRET: secrets.coordinator,
    SELECTOR_S3_SECRET: secrets.selector,
    WORKER_S3_SECRET: secrets.worker,
    ORCHARD_METRICS_TOKEN: secret(),
    S3_LISTEN: `127.0.0.1:${storePort}`,
    S3_PUBLIC_ENDPOINT: `http://127.0.0.1:${storePort}`,
    ORCHARD_LISTEN: `127.0.0.1:${port}`,
    ORCHARD_WORKERS: '2',
    ORCHARD_THREADS: '1',
  };
  const file = join(folder, '.env');
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const project = `orchard-check-${store}`;
  const composeWith = (/** @type {string} */ env, /** @type {string[]} */ args) =>
    engine.compose(['--project-name', project, '--env-file', env, ...args], { cwd: root });
  return {
    store,
    project,
    url: `http://127.0.0.1:${port}`,
    token,
    secrets,
    s3: { url: `http://127.0.0.1:${storePort}`, region: 'us-east-1', bucket: 'orchard' },
    composeWith,
    compose: (/** @type {string[]} */ args) => composeWith(file, args),
    /** @param {string[]} args */
    orchard: (...args) =>
      run(process.execPath, [join(root, 'apps/cli/program/main.js'), ...args], {
        cwd: folder,
        env: { ...process.env, ORCHARD_SERVER: `http://127.0.0.1:${port}`, ORCHARD_TOKEN: token },
      }),
    /** @type {{ id: string, model: Buffer } | undefined} the run of before the restart */
    done: undefined,
  };
}

/** @param {Cluster} cluster */
async function up({ compose, url }) {
  await compose(['up', '--detach', '--no-build']);
  await until('the coordinator is ready', startMilliseconds, async () => {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    return answer?.ok === true;
  });
}

/** @param {Cluster} cluster @param {Stage} stage */
async function refusesExampleSecrets({ composeWith, store }, { root, report, engine }) {
  const outcome = await composeWith(join(root, '.env.example'), ['up', '--detach', '--no-build']).then(
    () => 'it started',
    () => '',
  );
  const running = await engine.run([
    'ps',
    '--quiet',
    '--filter',
    `label=com.docker.compose.project=orchard-check-${store}`,
  ]);
  await composeWith(join(root, '.env.example'), ['down', '--volumes']);
  report(
    `${store}: with the secrets of the example nothing starts`,
    outcome === '' && running.trim() === '',
    `${outcome}${running}`,
  );
}

/**
 * Each program runs as user 1000 without a capability, and can write no file of the image.
 *
 * @param {Cluster} cluster
 * @param {Stage} stage
 */
async function checkConfinement({ compose, store }, { engine, report }) {
  const look = `const { readFileSync, writeFileSync } = require('node:fs');
    const capabilities = /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
    let root = 'read-only';
    try { writeFileSync('/orchard/x', ''); root = 'written to'; } catch {}
    console.log(process.getuid(), Number.parseInt(capabilities, 16), root, process.versions.node);`;
  for (const service of ['coordinator', 'selector', 'worker']) {
    const [id = ''] = (await compose(['ps', '--quiet', service])).split('\n');
    const seen = (await engine.run(['exec', id, 'node', '-e', look])).trim();
    const ok = seen.startsWith('1000 0 read-only ');
    report(`${store}: the ${service} runs as user 1000, without capabilities, on a read-only root`, ok, seen);
    await until(`the ${service} is healthy`, startMilliseconds, async () => {
      const health = await engine.run(['inspect', '--format', '{{.State.Health.Status}}', id]);
      return health.trim() === 'healthy';
    });
  }
}

/** A run during which a worker is killed makes the bytes of a laptop. @param {Cluster} cluster @param {Stage} stage */
async function trainWithADeath(cluster, { root, engine, report, folder }) {
  // long enough that some of it is left when a worker dies
  const words = wordsOfRun(root, '400');
  const local = join(folder, 'local');
  await cluster.orchard('train', ...words, '--out', local, '--no-report', '--quiet', '--threads', '1');
  const { id } = JSON.parse(await cluster.orchard('submit', ...words, '--json'));
  await until(
    'some tasks are done',
    runMilliseconds,
    async () => (await statusOf(cluster, id)).stages.train?.done >= 5,
  );
  const [killed = ''] = (await cluster.compose(['ps', '--quiet', 'worker'])).split('\n');
  await engine.run(['kill', '--signal', 'KILL', killed]);
  const { done, total } = (await statusOf(cluster, id)).stages.train;
  report(
    `${cluster.store}: a worker was killed in the middle of a run`,
    done < total,
    `${done} of ${total} tasks were done`,
  );
  await cluster.orchard('watch', id, '--quiet');
  const model = await fetchModel(cluster, id, join(folder, 'fetched'));
  const own = readFileSync(join(local, 'network.msgpack'));
  report(`${cluster.store}: the model is that of this machine, byte for byte (${own.length} bytes)`, model.equals(own));
  cluster.done = { id, model };
}

/** @param {Cluster} cluster @param {Stage} stage */
async function trainTheSame(cluster, { root, report, folder }) {
  const words = wordsOfRun(root, '20');
  const local = join(folder, 'local-again');
  await cluster.orchard('train', ...words, '--out', local, '--no-report', '--quiet', '--threads', '1');
  const { id } = JSON.parse(await cluster.orchard('submit', ...words, '--json'));
  await cluster.orchard('watch', id, '--quiet');
  const model = await fetchModel(cluster, id, join(folder, 'fetched-second'));
  const own = readFileSync(join(local, 'network.msgpack'));
  report(`${cluster.store}: so is that of a run after the restart`, model.equals(own));
}

/** @param {Cluster} cluster @param {string} id @returns {Promise<any>} */
async function statusOf({ url, token }, id) {
  const answer = await fetch(`${url}/v1/runs/${id}`, { headers: { authorization: `Bearer ${token}` } });
  return await answer.json();
}

/** @param {Cluster} cluster @param {string} id @param {string} out */
async function fetchModel(cluster, id, out) {
  await cluster.orchard('fetch', id, '--out', out, '--quiet');
  return readFileSync(join(out, 'network.msgpack'));
}

/** @param {Cluster} cluster @param {Stage} stage @param {string} when */
async function checkKeys({ s3, secrets, store }, { report }, when) {
  for (const program of /** @type {const} */ (['coordinator', 'selector', 'worker'])) {
    const done = await attempt(s3, program, secrets[program]).catch((error) => [String(error)]);
    const ok = done.join() === allowed[program].join();
    report(
      `${store}: the key of the ${program} may do what it needs, and no more, ${when}`,
      ok,
      `it may ${done.join(', ')}`,
    );
  }
}
