// A cluster that Prometheus scrapes, and what is done to it.
import { join } from 'node:path';
import { S3Store } from '@orchard/storage/s3';
import { run } from '../containers/run.mjs';
import { until } from '../containers/until.mjs';
import { wordsOfRun } from '../containers/words-of-run.mjs';

const waitMilliseconds = 240_000;

/** @typedef {import('../cluster/index.mjs').Program} Program */

export class WatchedCluster {
  #prometheus;
  #root;
  /** @type {Program[]} */
  workers = [];

  /**
   * @param {import('../cluster/index.mjs').Cluster} cluster
   * @param {NonNullable<Awaited<ReturnType<typeof import('../kubernetes/prometheus.mjs').startPrometheus>>>} prometheus
   * @param {string} root of the clone
   */
  constructor(cluster, prometheus, root) {
    this.cluster = cluster;
    this.#prometheus = prometheus;
    this.#root = root;
    this.#watch();
  }

  async addWorker() {
    const worker = await this.cluster.startWorker();
    this.workers.push(worker);
    this.#watch();
    return worker;
  }

  /** Ends workers at once, as when their machines are lost. @param {Program[]} lost */
  async kill(lost) {
    for (const { pid } of lost) process.kill(pid, 'SIGKILL');
    await Promise.all(lost.map(({ ended }) => ended));
    this.workers = this.workers.filter((worker) => !lost.includes(worker));
    this.#watch();
  }

  async endWorkers() {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop()));
    this.#watch();
  }

  /** @param {string} rounds of another number it is another run @returns {Promise<string>} its id */
  async submit(rounds) {
    const words = ['submit', ...wordsOfRun(this.#root, rounds), '--json'];
    const env = { ...process.env, ORCHARD_SERVER: this.cluster.url, ORCHARD_TOKEN: this.cluster.token };
    return JSON.parse(await run(process.execPath, [join(this.#root, 'apps/cli/program/main.js'), ...words], { env }))
      .id;
  }

  /** @param {string} path @param {RequestInit} [init] */
  ask(path, init = {}) {
    const headers = { authorization: `Bearer ${this.cluster.token}`, 'content-type': 'application/json' };
    return fetch(`${this.cluster.url}${path}`, { ...init, headers });
  }

  /** @param {string} id @param {(status: any) => boolean} isSo */
  hasStatus(id, isSo) {
    return this.until('the run has got so far', async () => isSo(await (await this.ask(`/v1/runs/${id}`)).json()));
  }

  /** What all programs store, to be damaged. @param {(store: S3Store) => Promise<void>} use */
  async withStore(use) {
    const { url: endpoint, bucket, region, accessKeyId, secretAccessKey } = this.cluster.s3;
    const store = await S3Store.open({ endpoint, bucket, region, credentials: { accessKeyId, secretAccessKey } });
    try {
      await use(store);
    } finally {
      store.close();
    }
  }

  /** @param {string[]} alerts */
  fire(...alerts) {
    return this.until(`${alerts.join(' and ')} fires`, async () => {
      const firing = await this.#prometheus.firing();
      return alerts.every((alert) => firing.includes(alert));
    });
  }

  /** All programs are scraped, and no alert fires. */
  async isQuiet() {
    await this.until('no alert fires', async () => {
      const [scraped, firing] = await Promise.all([this.#prometheus.scraped(), this.#prometheus.firing()]);
      return this.#targets().every(({ instance }) => scraped.includes(instance)) && firing.length === 0;
    });
  }

  /** @param {string} what @param {() => Promise<boolean>} isSo */
  async until(what, isSo) {
    await until(what, waitMilliseconds, isSo);
  }

  #watch() {
    this.#prometheus.watch(this.#targets());
  }

  #targets() {
    const { coordinator, selector } = this.cluster;
    const of = (/** @type {string} */ program, /** @type {Program} */ { name, port }) => ({
      program,
      instance: name,
      address: `127.0.0.1:${port}`,
    });
    return [
      of('coordinator', coordinator),
      of('selector', selector),
      ...this.workers.map((worker) => of('worker', worker)),
    ];
  }
}
