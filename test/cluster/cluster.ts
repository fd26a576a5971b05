import type { RunStatus } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { artefactNames } from '@orchard/pipeline';
import { JobQueues } from '@orchard/queue';
import { openRuns, type ReconcilerSettings, type RunLog, type Runs } from '@orchard/runs';
import { FilesystemStore, listAll, type ObjectStore } from '@orchard/storage';
import { S3Store } from '@orchard/storage/s3';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { startRedis, startS3, type RedisOptions, type RedisServer, type S3Server } from '../../infra/servers/index.mjs';
import { endAll, startProgram, type Program } from './programs.js';
import type { Specimen } from './specimens.js';

export interface ClusterOptions {
  /** A bucket, a folder that goes with the cluster, or the path of one. @default 's3' */
  readonly store?: string;
  readonly redis?: RedisOptions;
  readonly reconciler?: ReconcilerSettings;
  /** Where the programs find S3, should it not be the server itself: a proxy. */
  readonly s3Endpoint?: (server: S3Server) => Promise<string>;
  /** Variables of all programs. */
  readonly environment?: Record<string, string>;
}

/**
 * A cluster on this machine: real servers, real processes, and the reconciler within the test (or a process of its
 * own).
 */
export class Cluster {
  readonly programs = new Set<Program>();
  #added = 0;

  private constructor(
    /** Warnings and errors of the reconciler within the test. */
    readonly errors: readonly string[],
    readonly redis: RedisServer,
    readonly s3: S3Server | null,
    readonly folder: string,
    readonly store: ObjectStore,
    readonly queues: JobQueues,
    readonly runs: Runs,
    readonly environment: Record<string, string>,
  ) {}

  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'orchard-cluster-'));
    const redis = await startRedis({ own: true, ...options.redis });
    const prefix = `{test-${randomBytes(4).toString('hex')}}`;
    const environment: Record<string, string> = {
      ORCHARD_REDIS_URL: redis.url,
      ORCHARD_REDIS_PREFIX: prefix,
      ORCHARD_HEALTH_PORT: '0',
      ORCHARD_LOCK_SECONDS: '2',
      ORCHARD_GRACE_SECONDS: '10',
      ORCHARD_CACHE_DIR: join(folder, 'cache'),
      ORCHARD_THREADS: '1',
    };
    let s3: S3Server | null = null;
    let store: ObjectStore;
    if (options.store !== undefined && options.store !== 's3') {
      const root = options.store === 'folder' ? join(folder, 'store') : options.store;
      store = await FilesystemStore.open(root);
      environment.ORCHARD_STORE = root;
    } else {
      s3 = await startS3({ own: true });
      const { accessKeyId, secretAccessKey, bucket, region, url } = s3;
      store = await S3Store.open({ bucket, endpoint: url, region, credentials: { accessKeyId, secretAccessKey } });
      environment.ORCHARD_STORE = `s3://${bucket}`;
      environment.ORCHARD_S3_ENDPOINT = (await options.s3Endpoint?.(s3)) ?? url;
      environment.ORCHARD_S3_REGION = region;
      environment.AWS_ACCESS_KEY_ID = accessKeyId;
      environment.AWS_SECRET_ACCESS_KEY = secretAccessKey;
    }
    Object.assign(environment, options.environment);
    const errors: string[] = [];
    const log: RunLog = {
      info: () => undefined,
      warn: (fields, message) => errors.push(`${message} ${shown(fields)}`),
      error: (fields, message) => errors.push(`${message} ${shown(fields)}`),
    };
    const queues = await JobQueues.connect({ url: redis.url, prefix });
    const runs = openRuns({ store, queues, families, log }, { passSeconds: 1, ...options.reconciler });
    return new Cluster(errors, redis, s3, folder, store, queues, runs, environment);
  }

  /** @param host - a network namespace that the program runs in */
  async add(kind: Program['kind'], environment: Record<string, string> = {}, host?: string): Promise<Program> {
    const name = `${kind}-${++this.#added}`;
    const program = await startProgram(kind, { ORCHARD_WORKER_NAME: name, ...this.environment, ...environment }, host);
    this.programs.add(program);
    void program.ended.then(() => this.programs.delete(program));
    return program;
  }

  /** A selector, this many workers, and the reconciler within the test. */
  async crew(workers: number): Promise<Program[]> {
    this.runs.reconciler.start();
    const [, ...crew] = await Promise.all([
      this.add('selector'),
      ...Array.from({ length: workers }, () => this.add('worker')),
    ]);
    return crew;
  }

  async submit({ specification, choice, register }: Specimen): Promise<string> {
    await register(this.store);
    return (await this.runs.life.submit(specification, choice)).id;
  }

  /** Waits for a status that `holds`, and fails with what the run says at last. */
  async until(
    run: string,
    what: string,
    holds: (status: RunStatus) => boolean | Promise<boolean>,
    seconds = 120,
  ): Promise<RunStatus> {
    const deadline = Date.now() + seconds * 1000;
    let last: unknown = null;
    while (Date.now() < deadline) {
      try {
        const status = await this.runs.life.status(run);
        last = status;
        if (await holds(status)) return status;
      } catch (error) {
        last = error;
      }
      await sleep(50);
    }
    const told = JSON.stringify(last, (key, value: unknown) =>
      key === 'specification' || key === 'selections' ? undefined : value,
    );
    throw new Error(`waited ${seconds} s in vain until ${what}: ${told}; ${this.errors.slice(-5).join('; ')}`);
  }

  /** Waits until the reconciler within the test has looked at all runs so often, from now on. */
  async passes(count: number): Promise<void> {
    // one may be under way, which does not count
    for (let pass = 0; pass <= count; pass++) {
      const last = this.runs.reconciler.lastPassAt;
      await expect.poll(() => this.runs.reconciler.lastPassAt).not.toBe(last);
    }
  }

  async done(run: string, seconds = 180): Promise<RunStatus> {
    const status = await this.until(
      run,
      'the run has ended',
      ({ state }) => state === 'done' || state === 'failed',
      seconds,
    );
    expect(status.reason).toBeNull();
    return status;
  }

  /**
   * The promise of the whole: the bytes of a laptop, and one artefact for each task.
   *
   * @param dropped by repairs when the network was stored: nothing needs them, so they may be missing
   */
  async expectSameBytes(
    run: string,
    { network, summary, wanted, artefacts }: Specimen,
    dropped: readonly string[] = [],
  ): Promise<void> {
    expect(Buffer.compare(await this.store.get(artefactNames.network(run, wanted)), network)).toBe(0);
    expect(Buffer.compare(await this.store.get(artefactNames.summary(run, wanted)), summary)).toBe(0);
    for (const [folder, count] of Object.entries(artefacts)) {
      const prefix = `${artefactNames.run(run)}${folder}/`;
      const found = await this.names(prefix);
      const missing = dropped.filter((name) => name.startsWith(prefix) && !found.includes(name));
      expect(found, `${folder}, without ${missing.join(', ')}`).toHaveLength(count - missing.length);
    }
    expect(await this.names(artefactNames.checkpoints(run))).toEqual([]);
  }

  /** Replaces a stored object's bytes at once, as a disk that rots does. */
  async alter(name: string, alter: (bytes: Uint8Array) => Uint8Array): Promise<void> {
    const altered = alter(new Uint8Array(await this.store.get(name)));
    if (this.s3 === null) {
      const path = join(this.environment.ORCHARD_STORE!, ...name.split('/'));
      await writeFile(`${path}.altered`, altered);
      await rename(`${path}.altered`, path);
      return;
    }
    // not by the store's own put, which replaces nothing
    const { accessKeyId, secretAccessKey, bucket: Bucket, region, url: endpoint } = this.s3;
    const credentials = { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
    try {
      await client.send(new PutObjectCommand({ Bucket, Key: name, Body: altered }));
    } finally {
      client.destroy();
    }
  }

  async names(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of listAll(this.store, prefix)) names.push(name);
    return names;
  }

  /** One command to Redis by a connection of its own. */
  async command(...words: [string, ...string[]]): Promise<unknown> {
    const redis = new Redis(this.redis.url);
    redis.on('error', () => undefined);
    try {
      const [name, ...args] = words;
      return await redis.call(name, ...args);
    } finally {
      redis.disconnect();
    }
  }

  async stop(): Promise<void> {
    await this.runs.reconciler.stop();
    await endAll(this.programs);
    await this.queues.close();
    await Promise.all([this.redis.stop(), this.s3?.stop()]);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A cluster that stops with the test. */
export async function clusterOfTest(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await Cluster.start(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

function shown(fields: object): string {
  return JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.message : value));
}
