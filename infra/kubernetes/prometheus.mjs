// A Prometheus that scrapes programs with the tokens that they ask for and knows the chart's alerts, which here wait
// seconds instead of minutes.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../containers/free-ports.mjs';
import { onPath } from '../servers/environment.mjs';

/**
 * @typedef {{ program: string, instance: string, address: string }} Target
 *
 * @param {string} root
 * @param {string} folder
 * @param {{ coordinator: string, others: string }} tokens
 * @param {number} [every] - seconds between two scrapes, and for which one is waited
 */
export async function startPrometheus(root, folder, tokens, every = 1) {
  const program = onPath('prometheus');
  if (!program) return null;
  mkdirSync(folder, { recursive: true });
  const rules = readFileSync(join(root, 'infra/helm/orchard/orchard.rules.yaml'), 'utf8');
  writeFileSync(join(folder, 'rules.yaml'), inSeconds(rules));
  const job = (/** @type {string} */ name, /** @type {string} */ token) => ({
    job_name: name,
    authorization: { credentials: token },
    file_sd_configs: [{ files: [join(folder, `${name}.json`)], refresh_interval: '1s' }],
  });
  const config = {
    global: { scrape_interval: `${every}s`, scrape_timeout: `${every}s`, evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yaml')],
    scrape_configs: [job('coordinator', tokens.coordinator), job('others', tokens.others)],
  };
  // JSON is YAML
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const [port] = await freePorts(1);
  const log = openSync(join(folder, 'log'), 'a');
  const flags = ['--config.file', join(folder, 'prometheus.yaml'), '--storage.tsdb.path', join(folder, 'data')];
  const child = spawn(program, [...flags, '--web.listen-address', `127.0.0.1:${port}`], {
    stdio: ['ignore', log, log],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  /** @param {string} path @returns {Promise<any>} */
  const ask = async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
    return answer?.ok ? (await answer.json()).data : undefined;
  };
  return {
    /** @param {Target[]} targets */
    watch(targets) {
      for (const [name, isOne] of /** @type {const} */ ([
        ['coordinator', true],
        ['others', false],
      ])) {
        const own = targets.filter((target) => (target.program === 'coordinator') === isOne);
        const groups = own.map(({ program: pod, instance, address }) => ({
          targets: [address],
          labels: { program: pod, instance },
        }));
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(groups));
      }
    },
    /** The instances that are scraped now. @returns {Promise<string[]>} */
    async scraped() {
      const data = await ask(`query?query=${encodeURIComponent('up == 1')}`);
      return (data?.result ?? []).map((/** @type {any} */ { metric }) => metric.instance);
    },
    /** The alerts that fire now. @returns {Promise<string[]>} */
    async firing() {
      const data = await ask('alerts');
      return (data?.alerts ?? [])
        .filter((/** @type {any} */ { state }) => state === 'firing')
        .map((/** @type {any} */ { labels }) => labels.alertname);
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** The alerts with seconds for minutes: what they wait for, what they look back at, and how long a job waits. */
function inSeconds(rules) {
  return rules
    .replace(/for: \d+m/g, 'for: 3s')
    .replace(/\[\d+[mh]\]/g, '[30s]')
    .replace(/offset \d+[mh]/g, 'offset 30s')
    .replace('> 1200', '> 5');
}
