// The release that is checked: its pods, what its coordinator answers, and waiting for either.
import { join } from 'node:path';
import { run } from '../containers/run.mjs';
import { until as untilWithin } from '../containers/until.mjs';

export const namespace = 'trial';
const waitMilliseconds = 180_000;

/**
 * @typedef {object} Stage
 * @property {import('./api.mjs').KubernetesApi} api
 * @property {string} kubeconfig
 * @property {Awaited<ReturnType<import('./chart.mjs').chartOf>>} helm
 * @property {import('./process-kubelet.mjs').ProcessKubelet} node
 * @property {import('../servers/index.mjs').RedisServer} redis
 * @property {import('../servers/index.mjs').S3Server} s3
 * @property {string} root
 * @property {string} work
 * @property {(what: string, ok: boolean, problem?: string) => void} report
 * @property {(line: string) => void} say
 *
 * @typedef {object} Release
 * @property {string} token
 * @property {{ coordinator: string, others: string }} metrics - what a scraper shows
 * @property {string[]} given - to helm: namespace and values
 */

/** @param {Stage} stage @param {number} replicas */
export async function scale({ api }, replicas) {
  await api.patch(`/apis/apps/v1/namespaces/${namespace}/deployments/worker/scale`, { spec: { replicas } });
}

/** @param {Stage} stage @returns {Promise<any[]>} */
export async function podsOf({ api }) {
  return (await api.get(`/api/v1/namespaces/${namespace}/pods`)).items;
}

/** @param {Stage} stage */
export async function readyPods(stage) {
  return (await podsOf(stage)).filter(
    ({ metadata, status }) =>
      !metadata.deletionTimestamp &&
      status.conditions?.some((/** @type {any} */ { type, status: is }) => type === 'Ready' && is === 'True'),
  );
}

/** @param {Stage} stage */
export async function workersOf(stage) {
  return (await podsOf(stage)).filter(isOf('worker'));
}

/** @param {Stage} stage */
export async function readyWorkers(stage) {
  return (await readyPods(stage)).filter(isOf('worker'));
}

/** @param {string} program @returns {(pod: any) => boolean} */
export function isOf(program) {
  return ({ metadata }) => metadata.labels['app.kubernetes.io/name'] === program;
}

/** Why the scheduler found no place. @param {any} status @returns {string | undefined} */
export function reasonOf(status) {
  const placed = status.conditions?.find((/** @type {any} */ { type }) => type === 'PodScheduled');
  return placed?.status === 'False' ? placed.message : undefined;
}

/** @param {Stage} stage */
export async function urlOf(stage) {
  const coordinator = await until('a coordinator is ready', async () =>
    (await readyPods(stage)).find(isOf('coordinator')),
  );
  return stage.node.urlOf(coordinator.metadata.uid);
}

/** @param {Stage} stage @param {Release} release @param {string} path @returns {Promise<any>} */
export async function ask(stage, { token }, path) {
  const answer = await fetch(`${await urlOf(stage)}${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}

/** @param {Stage} stage @param {Release} release @param {string} id */
export async function statusOf(stage, release, id) {
  return await ask(stage, release, `/v1/runs/${id}`);
}

/**
 * The command line of the clone, as a client of the cluster.
 *
 * @param {Stage} stage
 * @param {Release} release
 * @param {string[]} args
 */
export async function orchard(stage, { token }, ...args) {
  const env = { ...process.env, ORCHARD_SERVER: await urlOf(stage), ORCHARD_TOKEN: token };
  return await run(process.execPath, [join(stage.root, 'apps/cli/program/main.js'), ...args], { cwd: stage.work, env });
}

/**
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} look
 * @returns {Promise<T>} the first answer that is neither false nor undefined
 */
export async function until(what, look) {
  return await untilWithin(what, waitMilliseconds, look);
}

/** @param {unknown} one @param {unknown} other */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
