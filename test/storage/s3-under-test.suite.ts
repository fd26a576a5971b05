import { S3Store, type S3Configuration } from '@orchard/storage/s3';
import { afterAll, beforeAll } from 'vitest';
import { startS3, type S3Server } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

/** The least that S3 takes as a part. */
export const smallestPart = 5 * 2 ** 20;

/** A real server, and stores on it that are closed when the file's tests are over. */
export class S3UnderTest {
  readonly #stores: S3Store[] = [];
  /** A server of the environment may hold other things. */
  readonly #prefix = `orchard-test-${process.pid}-${Date.now()}`;
  #prefixes = 0;
  #server: S3Server | null = null;

  constructor() {
    beforeAll(async () => {
      if (!lacks('s3')) this.#server = await startS3();
    });
    afterAll(async () => {
      for (const store of this.#stores) store.close();
      await this.#server?.stop();
    });
  }

  get server(): S3Server {
    return this.#server!;
  }

  /** With a prefix that nobody else has. */
  configuration(overrides: Partial<S3Configuration> = {}): S3Configuration {
    const { url: endpoint, bucket, region, accessKeyId, secretAccessKey } = this.server;
    const prefix = `${this.#prefix}/${this.#prefixes++}`;
    const access = { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
    return { bucket, prefix, partSize: smallestPart, backoff: 10, ...access, ...overrides };
  }

  async open(overrides: Partial<S3Configuration> = {}): Promise<S3Store> {
    const store = await S3Store.open(this.configuration(overrides));
    this.#stores.push(store);
    return store;
  }
}
