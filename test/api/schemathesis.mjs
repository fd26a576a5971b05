// npm run test:api: schemathesis, from PyPI into the cache, against the OpenAPI document of a cluster of our own.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCluster } from '../../infra/cluster/index.mjs';
import { readCommandLine } from '../../infra/command-line.mjs';
import { environment, onPath } from '../../infra/servers/environment.mjs';

const usage = `npm run test:api [-- options of schemathesis run]

Options are schemathesis's own, and come after these: --checks all --max-examples 100 --seed 7 --request-timeout 20 --no-color.
For example: npm run test:api -- --max-examples 1000`;

const version = '4.32.5';
const here = dirname(fileURLToPath(import.meta.url));
const data = join(here, '..', 'data', 'mushrooms');
const cli = join(here, '..', '..', 'apps', 'cli');
const venv = join(dirname(environment.cache), `schemathesis-${version}`);
const program = join(venv, 'bin', 'schemathesis');

const given = process.argv.slice(2);
if (given.includes('--help')) readCommandLine('test:api', usage);
if (!existsSync(program)) await install();
const cluster = await startCluster({
  workers: 1,
  environment: { ORCHARD_MAX_REQUESTS_PER_SECOND: '1000000', ORCHARD_MAX_UPLOADS: '100', ORCHARD_LOG_LEVEL: 'warn' },
  onLog: (name, line) => console.error(`${name.padEnd(12)}${line}`),
});
let code = 1;
try {
  const ofBits = await finishedRun();
  const ofTable = await finishedTable();
  const reach = ['--url', cluster.url, '--header', `Authorization: Bearer ${cluster.token}`];
  const args = ['--config-file', join(here, 'schemathesis.toml'), 'run', `${cluster.url}/docs/json`, ...reach];
  const effort = ['--checks', 'all', '--max-examples', '100', '--seed', '7', '--request-timeout', '20', '--no-color'];
  // that this machine is busy is not a fault of the API
  effort.push('--suppress-health-check', 'too_slow');
  code = await run(ofBits, [...args, ...effort, ...given]);
  // what can be asked of a network depends on its kind
  const questions = ['--include-path-regex', '^/v1/networks/', '--phases', 'coverage,fuzzing'];
  code = (await run(ofTable, [...args, ...effort, ...questions, ...given])) || code;
  await stillHealthy();
} finally {
  await cluster.stop();
}
process.exit(code);

async function install() {
  const python = onPath('python3', 'python');
  if (!python) throw new Error('There is no Python. Install Python 3.10 or later, with venv.');
  console.error(`orchard: getting schemathesis ${version} into ${venv}: once, takes about half a minute …`);
  await mkdir(dirname(venv), { recursive: true });
  for (const [command, ...args] of [
    [python, '-m', 'venv', venv],
    [join(venv, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`],
  ]) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status === 0) continue;
    await rm(venv, { recursive: true, force: true });
    throw new Error(`${command} ${args.join(' ')} failed.`);
  }
}

/**
 * @param {string} network the run whose network is asked
 * @param {string[]} args
 */
function run(network, args) {
  const env = { ...process.env, SCHEMATHESIS_HOOKS: '', ORCHARD_ASKED_NETWORK: network };
  return ended(program, args, { cwd: dirname(venv), stdio: 'inherit', env });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
function ended(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    child.once('error', reject).once('exit', (status) => resolve(status ?? 1));
  });
}

/** A run that is there and done: what lists show, and what schemathesis asks about after it has seen a list. */
async function finishedRun() {
  /** @param {string} split */
  const upload = async (split) => {
    const body = readFileSync(join(data, `${split}.data.gz`));
    return (await ask('POST', '/v1/datasets?format=data', body, 'application/gzip')).id;
  };
  const splits = { train: await upload('train'), valid: await upload('valid'), test: await upload('test') };
  const submission = JSON.stringify({ ...splits, preset: 'paper', leaves: 4, rounds: 5 });
  const { id } = await ask('POST', '/v1/runs', submission, 'application/json');
  for (let waited = 0; (await ask('GET', `/v1/runs/${id}`)).state !== 'done'; waited += 1) {
    if (waited > 120) throw new Error('the run does not end');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return id;
}

/** The same of a table of labels, numbers, dates and missing values. */
async function finishedTable() {
  const file = join(cli, 'examples', 'rentals.csv');
  const args = ['submit', file, '--rounds', '5', '--leaves', '4', '--watch'];
  const env = { ...process.env, ORCHARD_SERVER: cluster.url, ORCHARD_TOKEN: cluster.token };
  const status = await ended(process.execPath, [join(cli, 'program/main.js'), ...args], { stdio: 'inherit', env });
  if (status !== 0) throw new Error('the run of a table does not end well');
  const { runs } = await ask('GET', '/v1/runs');
  return runs.find((/** @type {{ family: string }} */ { family }) => family === 'tables').id;
}

async function stillHealthy() {
  const response = await fetch(`${cluster.url}/health/ready`);
  if (!response.ok) throw new Error(`the coordinator answers ${response.status} to /health/ready afterwards`);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {BodyInit} [body]
 * @param {string} [type]
 */
async function ask(method, path, body, type) {
  const headers = { Authorization: `Bearer ${cluster.token}`, ...(type ? { 'Content-Type': type } : {}) };
  const response = await fetch(cluster.url + path, { method, headers, ...(body ? { body } : {}) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
