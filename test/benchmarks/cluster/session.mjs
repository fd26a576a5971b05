// A cluster on this machine as a user has it, watched from outside: HTTP, Redis, the store, and the processes.
import { readDocument } from '@orchard/pipeline';
import { JobQueues } from '@orchard/queue';
import { markSchema } from '@orchard/runs';
import { listAll } from '@orchard/storage';
import { S3Store } from '@orchard/storage/s3';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../../../infra/cluster/index.mjs';
import { memoryOf, processorSeconds } from './processes.mjs';

const matrixType = 'application/vnd.orchard.matrix';

export class Session {
  /** Job events as the queue reports them, with the time at which they were heard. */
  #listeners = new Set();

  constructor(cluster, store, queues, redis) {
    Object.assign(this, { cluster, store, queues, redis });
    this.programs = [cluster.coordinator, cluster.selector, ...cluster.workers];
    queues.onEvent((event) => {
      for (const listener of this.#listeners) listener(event);
    });
  }

  /**
   * @param {{
   *   workers?: number,
   *   environment?: Record<string, string>,
   *   data?: { store: string, server?: 'minio' | 'versitygw' },
   *   say: (line: string) => void,
   * }} options
   *   `data`: where the S3 server keeps its objects, which is not removed
   * @returns {Promise<Session>} workers of one thread each
   */
  static async start({ workers = 2, environment = {}, data, say }) {
    const cluster = await startCluster({ workers, threads: 1, environment, say, ...(data && { data }) });
    const { url, bucket, region, accessKeyId, secretAccessKey } = cluster.s3;
    const credentials = { accessKeyId, secretAccessKey };
    const store = await S3Store.open({ bucket, endpoint: url, region, credentials });
    const queues = await JobQueues.connect({ url: cluster.redis.url });
    return new Session(cluster, store, queues, new Redis(cluster.redis.url));
  }

  /** @returns {() => void} stops listening */
  onEvent(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async addWorker() {
    const worker = await this.cluster.startWorker();
    this.programs.push(worker);
    return worker;
  }

  /** @param {import('@orchard/dataset').BitMatrix} matrix */
  async upload(matrix) {
    const body = new Uint8Array(matrix.buffer);
    return (await this.#ask('/v1/datasets', { method: 'POST', body, headers: { 'Content-Type': matrixType } })).id;
  }

  /** @param {object} request the body of POST /v1/runs */
  async submit(request) {
    const headers = { 'Content-Type': 'application/json' };
    return (await this.#ask('/v1/runs', { method: 'POST', body: JSON.stringify(request), headers })).id;
  }

  status(run) {
    return this.#ask(`/v1/runs/${run}`);
  }

  cancel(run) {
    return this.#ask(`/v1/runs/${run}/cancel`, { method: 'POST' });
  }

  /**
   * From the mark of the submission to the mark of the end: what watching costs and how late it notices does not count.
   *
   * @returns {Promise<{ begun: number, ended: number }>} milliseconds since the epoch
   */
  async done(run, pollMilliseconds = 500) {
    for (;;) {
      const { state, reason } = await this.status(run);
      if (state === 'failed' || state === 'cancelled') throw new Error(`run ${run} ${state}: ${reason}`);
      if (state === 'done') return this.span(run);
      await sleep(pollMilliseconds);
    }
  }

  async span(run) {
    const times = { submit: NaN, done: NaN };
    for await (const { name } of listAll(this.store, `marks/${run}/`)) {
      const { kind, at } = await readDocument(this.store, name, markSchema);
      times[kind] = Date.parse(at);
    }
    return { begun: times.submit, ended: times.done };
  }

  /** Objects below a prefix and their bytes. */
  async stored(prefix) {
    const found = { objects: 0, bytes: 0 };
    for await (const { size } of listAll(this.store, prefix)) {
      found.objects += 1;
      found.bytes += size;
    }
    return found;
  }

  /** Bytes that Redis has in use, now and at its highest. */
  async redisMemory() {
    const text = await this.redis.info('memory');
    const field = (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)[1]);
    return { now: field('used_memory'), peak: field('used_memory_peak') };
  }

  /** Every process of the cluster, the servers among them, by name. */
  get processes() {
    const { redis, s3 } = this.cluster;
    const servers = [redis, s3].map(({ pid }, index) => ({ name: ['redis', 's3'][index], pid }));
    return [...this.programs.map(({ name, pid }) => ({ name, pid })), ...servers];
  }

  /** Processor seconds so far, by process; null for one that is not on this machine. */
  processorSeconds() {
    return Object.fromEntries(this.processes.map(({ name, pid }) => [name, processorSeconds(pid)]));
  }

  memory() {
    return Object.fromEntries(this.processes.map(({ name, pid }) => [name, memoryOf(pid)]));
  }

  /** Requests that the workers made to the store, by operation. */
  async storeRequests() {
    const counts = {};
    for (const { name, port } of this.programs) {
      if (!name.startsWith('worker')) continue;
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      for (const [, operation, count] of text.matchAll(
        /^orchard_store_request_seconds_count\{operation="(\w+)".*?\} (\d+)/gm,
      )) {
        counts[operation] = (counts[operation] ?? 0) + Number(count);
      }
    }
    return counts;
  }

  async stop() {
    this.redis.disconnect();
    await this.queues.close();
    this.store.close();
    await this.cluster.stop();
  }

  async #ask(path, init = {}) {
    const headers = { Authorization: `Bearer ${this.cluster.token}`, ...init.headers };
    const answer = await fetch(this.cluster.url + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
}
