// Kubernetes without a machine below it: etcd, API server, controllers and scheduler as processes on loopback.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../containers/free-ports.mjs';
import { onPath } from '../servers/environment.mjs';
import { KubernetesApi } from './api.mjs';

const startMilliseconds = 120_000;

/** The path of etcd: asked for before Kubernetes is built, which takes a quarter of an hour. */
export function findEtcd() {
  const etcd = onPath('etcd');
  if (etcd) return etcd;
  throw new Error('There is no etcd, which Kubernetes keeps its objects in. Install it: apt-get install etcd-server');
}

/**
 * @typedef {object} ControlPlane
 * @property {KubernetesApi} api as cluster-admin
 * @property {string} kubeconfig a file for helm
 * @property {() => Promise<void>} stop
 *
 * @param {string} etcd the program
 * @param {string} bin the folder of Kubernetes' programs
 * @param {string} folder an empty one, for data and logs
 * @returns {Promise<ControlPlane>}
 */
export async function startControlPlane(etcd, bin, folder) {
  mkdirSync(folder, { recursive: true });
  const [etcdPort, peerPort, apiPort] = await freePorts(3);
  /** @type {{ name: string, child: import('node:child_process').ChildProcess, ended: Promise<unknown> }[]} */
  const running = [];
  /** @param {string} name @param {string} program @param {string[]} flags */
  const start = (name, program, flags) => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const child = spawn(program, flags, { stdio: ['ignore', log, log] });
    running.push({ name, child, ended: new Promise((resolve) => child.once('exit', resolve)) });
  };
  const stop = async () => {
    for (const { child, ended } of running.reverse()) {
      child.kill();
      await ended;
    }
  };
  try {
    const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
    start('etcd', etcd, [
      ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
      ...['--unsafe-no-fsync'],
    ]);
    const users = writeCredentials(folder, `https://127.0.0.1:${apiPort}`);
    const keys = join(folder, 'service-accounts.pem');
    start('kube-apiserver', join(bin, 'kube-apiserver'), [
      ...['--etcd-servers', client, '--bind-address', '127.0.0.1', '--secure-port', String(apiPort)],
      ...['--cert-dir', join(folder, 'certificates'), '--token-auth-file', join(folder, 'tokens.csv')],
      ...['--authorization-mode', 'RBAC', '--service-cluster-ip-range', '10.96.0.0/16'],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-account-key-file', keys, '--service-account-signing-key-file', keys],
      // its own address is loopback's, which may not stand in the Service kubernetes
      ...['--endpoint-reconciler-type', 'none'],
    ]);
    const api = new KubernetesApi(`https://127.0.0.1:${apiPort}`, users.admin.token);
    await untilReady(api, running, folder);
    const leading = ['--leader-elect=false', '--secure-port', '0'];
    start('kube-controller-manager', join(bin, 'kube-controller-manager'), [
      ...['--kubeconfig', users['system:kube-controller-manager'].kubeconfig, '--use-service-account-credentials'],
      ...['--service-account-private-key-file', keys, ...leading],
      // nodes here send no leases, and are not to be taken for dead
      ...['--controllers', '*,-node-lifecycle-controller'],
    ]);
    start('kube-scheduler', join(bin, 'kube-scheduler'), [
      '--kubeconfig',
      users['system:kube-scheduler'].kubeconfig,
      ...leading,
    ]);
    return { api, kubeconfig: users.admin.kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Tokens of the three who speak to the API server, a kubeconfig for each, and the key that it signs service accounts
 * with.
 *
 * @param {string} folder
 * @param {string} server
 */
function writeCredentials(folder, server) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'service-accounts.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }), {
    mode: 0o600,
  });
  /** @param {string} user */
  const credentials = (user) => {
    const token = randomBytes(24).toString('hex');
    const kubeconfig = join(folder, `${user.replaceAll(':', '-')}.kubeconfig`);
    // the server made its certificate itself, just now
    const cluster = { server, 'insecure-skip-tls-verify': true };
    const contexts = [{ name: 'check', context: { cluster: 'check', user } }];
    const users = [{ name: user, user: { token } }];
    const clusters = [{ name: 'check', cluster }];
    const config = { apiVersion: 'v1', kind: 'Config', clusters, users, contexts, 'current-context': 'check' };
    writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
    return { token, kubeconfig };
  };
  const users = {
    admin: credentials('admin'),
    'system:kube-controller-manager': credentials('system:kube-controller-manager'),
    'system:kube-scheduler': credentials('system:kube-scheduler'),
  };
  const lines = Object.entries(users).map(
    ([name, { token }]) => `${token},${name},${name}${name === 'admin' ? ',system:masters' : ''}`,
  );
  writeFileSync(join(folder, 'tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 });
  return users;
}

/**
 * @param {KubernetesApi} api
 * @param {{ name: string, child: import('node:child_process').ChildProcess }[]} running
 * @param {string} folder
 */
async function untilReady(api, running, folder) {
  const end = Date.now() + startMilliseconds;
  while (!(await api.isReady())) {
    const dead = running.find(({ child }) => child.exitCode !== null);
    if (dead || Date.now() > end) {
      const { name } = dead ?? { name: 'kube-apiserver' };
      const log = readFileSync(join(folder, `${name}.log`), 'utf8')
        .split('\n')
        .slice(-15)
        .join('\n');
      throw new Error(`${name} did not start:\n${log}`);
    }
    await delay(300);
  }
}
