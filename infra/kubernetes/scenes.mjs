// What is tried of the chart, one scene after the other, in one namespace.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOfRun } from '../containers/words-of-run.mjs';
import { Refused } from './api.mjs';
import { startPrometheus } from './prometheus.mjs';
import {
  ask,
  isOf,
  namespace,
  orchard,
  podsOf,
  readyPods,
  readyWorkers,
  reasonOf,
  same,
  scale,
  statusOf,
  until,
  workersOf,
} from './release.mjs';

const patiently = ['--wait', '--timeout', '5m'];

/** @typedef {import('./release.mjs').Stage} Stage @typedef {import('./release.mjs').Release} Release */

/**
 * Everything that the chart can make is taken by a real API server, in a namespace that allows restricted pods alone.
 *
 * @param {Stage} stage
 * @returns {Promise<Release>}
 */
export async function checkAdmission(stage) {
  const { api, helm, kubeconfig, redis, s3, work, report, say } = stage;
  const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await api.post('/api/v1/namespaces', { metadata: { name: namespace, labels: restricted } });
  const token = randomBytes(24).toString('hex');
  const secret = (/** @type {string} */ name, /** @type {Record<string, string>} */ stringData) =>
    api.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name }, stringData });
  const metrics = { 'metrics-token': randomBytes(24).toString('hex'), 'scraper-token': token };
  await secret('orchard', { tokens: `check:full:${token}`, ...metrics });
  // what a cluster has already, by other names
  await secret('queue', { address: redis.url });
  await secret('bucket-key', { id: s3.accessKeyId, secret: s3.secretAccessKey });

  const key = {
    s3AccessKeyId: { name: 'bucket-key', key: 'id' },
    s3SecretAccessKey: { name: 'bucket-key', key: 'secret' },
  };
  const small = { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '1Gi' } };
  const values = {
    config: { ORCHARD_STORE: `s3://${s3.bucket}`, ORCHARD_S3_REGION: s3.region, ORCHARD_S3_ENDPOINT: s3.url },
    existingSecrets: { redisUrl: { name: 'queue', key: 'address' }, coordinator: key, selector: key, worker: key },
    coordinator: { resources: small },
    selector: { resources: small },
    worker: {
      replicas: 1,
      threads: 1,
      memoryBytes: '400000000',
      resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
    },
  };
  const file = join(work, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const given = [
    '--namespace',
    namespace,
    '--values',
    join(stage.root, 'infra/helm/orchard/ci/everything-values.yaml'),
    '--values',
    file,
  ];

  // a server-side trial of the scaler, whose replicas the rest of this check sets by hand
  const scaled = await helm.withChart(kubeconfig, 'install', [
    ...given,
    '--set',
    'keda.enabled=true',
    '--dry-run=server',
  ]);
  report('with KEDA the API server knows each object', scaled.includes('kind: ScaledObject'), scaled);

  say('helm install --wait');
  await helm.withChart(kubeconfig, 'install', [...given, ...patiently]);
  report('helm install: every object is admitted, and all programs become ready', true);

  const pods = await podsOf(stage);
  const [worker] = pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === 'worker');
  const placed = pods.every(({ spec }) => spec.nodeName === 'machine');
  report(`the scheduler placed all ${pods.length} pods, in a namespace of the profile "restricted"`, placed);
  const { spec, metadata } = worker;
  const kept = {
    label: metadata.labels['orchard/cost'],
    annotation: metadata.annotations['example.org/note'],
    pull: spec.imagePullSecrets?.[0]?.name,
    cpu: spec.containers[0].resources.requests.cpu,
    spread: spec.topologySpreadConstraints[0].maxSkew,
    token: spec.automountServiceAccountToken,
  };
  const expected = { label: 'low', annotation: 'checked', pull: 'registry', cpu: '1', spread: 4, token: false };
  report('its pods have the labels, secrets and constraints of the values', same(kept, expected), JSON.stringify(kept));
  for (const [kind, path, names] of /** @type {const} */ ([
    ['NetworkPolicy', 'apis/networking.k8s.io/v1', 'networkpolicies'],
    ['PodDisruptionBudget', 'apis/policy/v1', 'poddisruptionbudgets'],
    ['Ingress', 'apis/networking.k8s.io/v1', 'ingresses'],
    ['HTTPRoute', 'apis/gateway.networking.k8s.io/v1', 'httproutes'],
    ['PodMonitor', 'apis/monitoring.coreos.com/v1', 'podmonitors'],
    ['PrometheusRule', 'apis/monitoring.coreos.com/v1', 'prometheusrules'],
  ])) {
    const { items } = await api.get(`/${path}/namespaces/${namespace}/${names}`);
    const labelled =
      items.length > 0 && items.every((/** @type {any} */ item) => item.metadata.labels.team === 'density');
    report(`${kind}: ${items.map((/** @type {any} */ item) => item.metadata.name).join(', ')}`, labelled);
  }
  await checkRights(stage);
  return { token, given, metrics: { coordinator: token, others: metrics['metrics-token'] } };
}

/** The programs' service account may ask nothing of Kubernetes. @param {Stage} stage */
async function checkRights({ api, report }) {
  const user = `system:serviceaccount:${namespace}:orchard`;
  const attributes = { namespace, verb: 'list', resource: 'secrets' };
  const { status } = await api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: { user, groups: ['system:serviceaccounts', 'system:authenticated'], resourceAttributes: attributes },
  });
  report("the programs' service account may read no Secret", status.allowed === false);
}

/**
 * Workers follow the scale subresource, as far as the node has room for what they request.
 *
 * @param {Stage} stage
 * @param {Release} release
 */
export async function checkScaling(stage, release) {
  const { api, report } = stage;
  await scale(stage, 3);
  await until('three workers are ready', async () => (await readyWorkers(stage)).length === 3);
  report('three workers by the scale subresource', true);
  await scale(stage, 9);
  const waiting = await until('the node is full', async () => {
    const pods = await workersOf(stage);
    const unschedulable = pods.filter(({ status }) => reasonOf(status) !== undefined);
    return pods.length === 9 && pods.every((pod) => pod.spec.nodeName || reasonOf(pod.status)) && unschedulable;
  });
  const reason = reasonOf(waiting[0]?.status);
  report(`${waiting.length} of nine wait: ${reason}`, /Insufficient cpu/.test(reason ?? ''), reason);
  const { workers } = await ask(stage, release, '/v1/cluster');
  report('the coordinator knows the workers that run', workers.length >= 3, JSON.stringify(workers).slice(0, 300));
  await scale(stage, 2);
  await until('two workers are left', async () => (await workersOf(stage)).length === 2);
  report('and down again to two', true);
  const { status } = await api.get(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/worker`);
  report('the budget of workers lets one be away', status.disruptionsAllowed === 1, JSON.stringify(status));
}

/**
 * A run during which a worker's pod is deleted ends in the bytes of this machine.
 *
 * @param {Stage} stage
 * @param {Release} release
 */
export async function checkRun(stage, release) {
  const { api, report, work, say } = stage;
  const words = wordsOfRun(stage.root);
  say('a run, and a pod deleted in the middle of it');
  await orchard(
    stage,
    release,
    'train',
    ...words,
    '--out',
    join(work, 'local'),
    '--no-report',
    '--quiet',
    '--threads',
    '1',
  );
  const { id } = JSON.parse(await orchard(stage, release, 'submit', ...words, '--json'));
  await until('some tasks are done', async () => (await statusOf(stage, release, id)).stages.train?.done >= 5);
  const [victim] = await readyWorkers(stage);
  // at once, as when its node is lost
  await api.delete(`/api/v1/namespaces/${namespace}/pods/${victim.metadata.name}`, { gracePeriodSeconds: 0 });
  const { done, total } = (await statusOf(stage, release, id)).stages.train;
  report('the pod of a worker was deleted in the middle of a run', done < total, `${done} of ${total} tasks were done`);
  await until('another took its place', async () => {
    const ready = await readyWorkers(stage);
    return ready.length === 2 && ready.every(({ metadata }) => metadata.uid !== victim.metadata.uid);
  });
  report('another pod took its place', true);
  await orchard(stage, release, 'watch', id, '--quiet');
  await orchard(stage, release, 'fetch', id, '--out', join(work, 'fetched'), '--quiet');
  const own = readFileSync(join(work, 'local/network.msgpack'));
  const fetched = readFileSync(join(work, 'fetched/network.msgpack'));
  report(`the model is that of this machine, byte for byte (${own.length} bytes)`, own.equals(fetched));

  // of two coordinators the budget lets one be evicted, and no second before the first is replaced
  const coordinators = (await podsOf(stage)).filter(isOf('coordinator'));
  const outcomes = [];
  for (const { metadata } of coordinators) {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
    const refused = await api
      .post(`/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`, eviction)
      .catch((error) => error);
    outcomes.push(refused instanceof Refused ? refused.status : 201);
  }
  report('of two coordinators one is evicted, the other kept', same(outcomes, [201, 429]), outcomes.join());
  await until(
    'two coordinators are ready',
    async () => (await readyPods(stage)).filter(isOf('coordinator')).length === 2,
  );
}

/** Other values roll the pods; a rollback brings the old ones back. @param {Stage} stage @param {Release} release */
export async function checkRelease(stage, release) {
  const { api, helm, kubeconfig, report, say } = stage;
  const before = new Set((await podsOf(stage)).map(({ metadata }) => metadata.uid));
  say('helm upgrade, rollback, uninstall');
  const louder = ['--set', 'config.ORCHARD_LOG_LEVEL=debug', '--set', 'worker.replicas=2'];
  await helm.withChart(kubeconfig, 'upgrade', [...release.given, ...patiently, ...louder]);
  const level = async () =>
    (await api.get(`/api/v1/namespaces/${namespace}/configmaps/orchard`)).data.ORCHARD_LOG_LEVEL;
  await until('all pods are new', async () => (await podsOf(stage)).every(({ metadata }) => !before.has(metadata.uid)));
  report('helm upgrade: other values, and every pod is a new one that has them', (await level()) === 'debug');
  await helm.run(kubeconfig, ['rollback', 'orchard', '1', '--namespace', namespace, ...patiently]);
  await until('one worker is left', async () => (await workersOf(stage)).length === 1);
  report('helm rollback: the values of before, and one worker', (await level()) === 'info');
  const runs = await ask(stage, release, '/v1/runs');
  report('the runs of before are still there', runs.runs.length > 0, JSON.stringify(runs).slice(0, 300));
}

/**
 * The pods are scraped with the tokens of the chart's Secret, and alerts fire for what is wrong, each ending with it.
 * All alerts are tried by check:alerts, without Kubernetes.
 *
 * @param {Stage} stage
 * @param {Release} release
 */
export async function checkAlerts(stage, release) {
  const { api, node, report, say, work, s3 } = stage;
  const prometheus = await startPrometheus(stage.root, join(work, 'prometheus'), release.metrics);
  if (prometheus === null)
    return say('SKIPPED the alerts: there is no Prometheus. Install it: apt-get install prometheus');
  try {
    const watch = async () => {
      // ready or not, as a PodMonitor: without the store no program is ready
      const pods = (await podsOf(stage)).filter(
        ({ metadata, status }) => status.phase === 'Running' && !metadata.deletionTimestamp,
      );
      const targets = pods.map(({ metadata }) => ({
        program: metadata.labels['app.kubernetes.io/name'],
        instance: metadata.name,
        address: new URL(node.urlOf(metadata.uid)).host,
      }));
      prometheus.watch(targets);
      return pods.map(({ metadata }) => metadata.name);
    };
    await until('all pods are scraped', async () => {
      const names = await watch();
      const scraped = await prometheus.scraped();
      return names.length > 0 && names.every((name) => scraped.includes(name));
    });
    report('Prometheus scrapes every pod with the tokens of the Secret', true);
    await until('no alert fires', async () => (await prometheus.firing()).length === 0);
    // pods come and go meanwhile
    const firing = async () => {
      await watch();
      return prometheus.firing();
    };
    const fires = async (/** @type {string} */ alert) => {
      await until(`${alert} fires`, async () => (await firing()).includes(alert));
    };
    const ends = async (/** @type {string} */ alert) => {
      await until(`${alert} ends`, async () => !(await firing()).includes(alert));
      report(`${alert} fires, and ends`, true);
    };

    await scale(stage, 0);
    await until('no worker is left', async () => (await workersOf(stage)).length === 0);
    const { id } = JSON.parse(await orchard(stage, release, 'submit', ...wordsOfRun(stage.root, '10'), '--json'));
    await fires('OrchardTasksWait');
    await scale(stage, 2);
    await orchard(stage, release, 'watch', id, '--quiet');
    await ends('OrchardTasksWait');

    process.kill(s3.pid ?? 0, 'SIGSTOP');
    try {
      await fires('OrchardStoreFails');
    } finally {
      process.kill(s3.pid ?? 0, 'SIGCONT');
    }
    await ends('OrchardStoreFails');

    const coordinators = `/apis/apps/v1/namespaces/${namespace}/deployments/coordinator/scale`;
    await api.patch(coordinators, { spec: { replicas: 0 } });
    await fires('OrchardNoCoordinator');
    await api.patch(coordinators, { spec: { replicas: 2 } });
    await ends('OrchardNoCoordinator');
  } finally {
    await prometheus.stop();
  }
}

/** What the chart made is gone with it; what it did not make is left. @param {Stage} stage */
export async function checkLeftovers(stage) {
  const { api, helm, kubeconfig, report } = stage;
  await helm.run(kubeconfig, ['uninstall', 'orchard', '--namespace', namespace, ...patiently]);
  await until('no pod is left', async () => (await podsOf(stage)).length === 0);
  const collected = Date.now() + 60_000;
  // what others made for its objects is collected after them
  const own = await until('nothing of it is left', async () => {
    const left = await leftovers(api);
    return left.length === 0 || Date.now() > collected ? left : undefined;
  });
  report('helm uninstall leaves nothing but the Secrets that it was given', own.length === 0, own.join('\n'));
}

/**
 * What is in the namespace besides what every namespace has, and what was made for the release.
 *
 * @param {import('./api.mjs').KubernetesApi} api
 */
async function leftovers(api) {
  const expected = /^(Event .*|ConfigMap kube-root-ca.crt|ServiceAccount default|Secret (orchard|queue|bucket-key))$/;
  /** @type {string[]} */
  const left = [];
  for (const { path, name } of await namespacedResources(api)) {
    const { items = [], kind } = await api.get(`${path}/namespaces/${namespace}/${name}`);
    for (const { metadata } of items) left.push(`${kind.replace(/List$/, '')} ${metadata.name}`);
  }
  return left.filter((one) => !expected.test(one));
}

/** @param {import('./api.mjs').KubernetesApi} api */
async function namespacedResources(api) {
  const { groups } = await api.get('/apis');
  const versions = [
    '/api/v1',
    ...groups.map((/** @type {any} */ group) => `/apis/${group.preferredVersion.groupVersion}`),
  ];
  const all = [];
  for (const path of versions) {
    const { resources } = await api.get(path);
    for (const { name, namespaced, verbs } of resources) {
      if (namespaced && verbs.includes('list')) all.push({ path, name });
    }
  }
  return all;
}
