// npm run check:alerts: every alert of the chart fires once in a cluster of this machine that a real Prometheus scrapes,
// for the reason that it is meant for, and ends with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkReport } from '../check-report.mjs';
import { startCluster } from '../cluster/index.mjs';
import { readCommandLine } from '../command-line.mjs';
import { startPrometheus } from '../kubernetes/prometheus.mjs';
import { startS3 } from '../servers/index.mjs';
import { scenes } from './scenes.mjs';
import { WatchedCluster } from './watched-cluster.mjs';

const usage = `npm run check:alerts [-- --only ALERTS]

Starts a cluster on this machine, scrapes it by a real Prometheus (apt-get install prometheus) that knows the chart's alerts, and brings about
what each is for: it has to fire, and to end when its cause does. Alerts wait seconds here instead of minutes. The exit code is 1 where one does not.

  --only ALERTS   some of ${scenes.map(({ alerts }) => alerts.join('+')).join(',')} (default: all)`;
const given = readCommandLine('check:alerts', usage, { only: { type: 'string' } });
const wanted = given.someOf(
  'only',
  scenes.map(({ alerts }) => alerts.join('+')),
);

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchard-alerts-'));
const { report, say, end } = checkReport();
/** Between two scrapes, in seconds: a program that stands for less still answers. */
const scrapeSeconds = 4;

/** @type {(() => Promise<void>)[]} */
const ends = [];
try {
  const token = randomBytes(24).toString('hex');
  // one that can be stopped
  const s3 = await startS3({ own: true, server: 'versitygw' });
  ends.push(s3.stop);
  const environment = { ORCHARD_METRICS_TOKEN: token, ORCHARD_LOCK_SECONDS: '2' };
  const cluster = await startCluster({ workers: 0, threads: 4, s3, environment });
  ends.push(cluster.stop);
  const tokens = { coordinator: cluster.readToken, others: token };
  const prometheus = await startPrometheus(root, folder, tokens, scrapeSeconds);
  if (prometheus === null) throw new Error('There is no Prometheus. Install it: apt-get install prometheus');
  ends.push(prometheus.stop);
  const watched = new WatchedCluster(cluster, prometheus, root);
  await watched.isQuiet();
  report('Prometheus scrapes coordinator and selector, and no alert fires', true);
  for (const { alerts, cause } of scenes) {
    if (!wanted.includes(alerts.join('+'))) continue;
    say(alerts.join(', '));
    try {
      await cause(watched);
      await watched.isQuiet();
      for (const alert of alerts) report(`${alert} fires, and ends`, true);
    } catch (error) {
      report(alerts.join(', '), false, `${error.message}\nfiring: ${(await prometheus.firing()).join(', ') || 'none'}`);
    }
  }
} catch (error) {
  report('to its end', false, error instanceof Error ? error.stack : String(error));
} finally {
  for (const endOne of ends.reverse()) await endOne();
  rmSync(folder, { recursive: true, force: true });
}
end();
