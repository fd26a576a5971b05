// npm run check:kubernetes: the chart in a real Kubernetes, whose one node runs its pods as processes of this machine.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkReport } from '../check-report.mjs';
import { readCommandLine } from '../command-line.mjs';
import { startRedis, startS3 } from '../servers/index.mjs';
import { chartOf } from './chart.mjs';
import { findEtcd, startControlPlane } from './control-plane.mjs';
import { installDefinitions } from './definitions.mjs';
import { getControlPlane } from './get-control-plane.mjs';
import { ProcessKubelet } from './process-kubelet.mjs';
import { checkAdmission, checkAlerts, checkLeftovers, checkRelease, checkRun, checkScaling } from './scenes.mjs';

const usage = `npm run check:kubernetes

Installs the chart into a Kubernetes of this machine: etcd, API server, controllers and scheduler are real, pods run as processes beside real
Redis and S3. It upgrades, rolls back and uninstalls it, scales workers, trains with a worker's pod deleted, and compares the model with that
of this machine. The first time, Kubernetes and helm are built by Go, which takes a quarter of an hour; etcd is Debian's (apt-get install
etcd-server). The exit code is 1 where something fails. There are no options.`;
readCommandLine('check:kubernetes', usage);

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchard');
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'kubernetes-'));
const { report, say, hasFailed, end } = checkReport();

/** @type {(() => Promise<void>)[]} what ends what was started, the last first */
const ends = [];
try {
  const etcd = findEtcd();
  const bin = await getControlPlane(cache, say);
  const helm = await chartOf(root, cache, say);
  const redis = await startRedis({ own: true, appendOnly: true });
  ends.push(redis.stop);
  const s3 = await startS3({ own: true, server: 'versitygw' });
  ends.push(s3.stop);
  const kubernetes = await startControlPlane(etcd, bin, join(work, 'kubernetes'));
  ends.push(kubernetes.stop);
  say(`Kubernetes ${(await kubernetes.api.get('/version')).gitVersion}`);
  await installDefinitions(kubernetes.api, report);
  const node = new ProcessKubelet(kubernetes.api, { root, folder: join(work, 'pods'), name: 'machine' });
  ends.push(() => node.stop());
  await node.join({ cpu: '4', memory: '16Gi' });

  const stage = {
    api: kubernetes.api,
    kubeconfig: kubernetes.kubeconfig,
    helm,
    node,
    redis,
    s3,
    root,
    work,
    report,
    say,
  };
  const release = await checkAdmission(stage);
  await checkScaling(stage, release);
  await checkRun(stage, release);
  await checkAlerts(stage, release).catch((error) => report('alerts', false, error.stack));
  await checkRelease(stage, release);
  await checkLeftovers(stage);
} catch (error) {
  report('to its end', false, error instanceof Error ? error.stack : String(error));
} finally {
  for (const endOne of ends.reverse()) await endOne();
  if (!hasFailed()) rmSync(work, { recursive: true, force: true });
  else console.error(`Logs of Kubernetes and of the pods: ${work}`);
}
end();
