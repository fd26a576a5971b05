import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { StorageError } from '../errors.js';
import { readBody } from '../s3-body.js';
import { connect, resolve, type Resolved, type S3Configuration } from '../s3-configuration.js';
import { describeFailure } from '../s3-errors.js';
import { Requests } from '../s3-requests.js';

/** An object of another program: its key may be anything. */
export interface BucketObject {
  readonly key: string;
  readonly size: number;
  /** Changes with the bytes. */
  readonly etag: string | undefined;
}

/** Bytes that are asked for at a time: what a broken connection costs. */
const RANGE_BYTES = 16 * 2 ** 20;

/** Reads a bucket, and writes nothing. */
export class BucketObjects {
  readonly #client: S3Client;
  readonly #requests: Requests;
  readonly #configuration: Resolved;

  constructor(configuration: S3Configuration) {
    this.#configuration = resolve(configuration);
    this.#client = connect(configuration, this.#configuration);
    this.#requests = new Requests(this.#configuration);
  }

  close(): void {
    this.#client.destroy();
  }

  /** Null where no object has that key. */
  async head(key: string): Promise<BucketObject | null> {
    try {
      const found = await this.#requests.send(
        'head',
        this.#name(key),
        0,
        (abortSignal) => this.#client.send(new HeadObjectCommand(this.#object(key)), { abortSignal }),
        isNotThere,
      );
      return { key, size: found.ContentLength ?? 0, etag: found.ETag };
    } catch (error) {
      if (isNotThere(error)) return null;
      throw error;
    }
  }

  /** The objects whose keys begin so, in the order of their keys. */
  async *list(prefix: string): AsyncGenerator<BucketObject, void> {
    let token: string | undefined;
    do {
      const input = { Bucket: this.#configuration.bucket, Prefix: prefix, ContinuationToken: token };
      const page = await this.#requests.send('list', this.#name(prefix), 0, (abortSignal) =>
        this.#client.send(new ListObjectsV2Command(input), { abortSignal }),
      );
      for (const { Key = '', Size = 0, ETag } of page.Contents ?? []) yield { key: Key, size: Size, etag: ETag };
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /**
   * The bytes of an object, range by range: each is asked for again where it breaks off.
   *
   * @throws StorageError `conflict` where the object was changed meanwhile
   */
  async *read({ key, size, etag }: BucketObject): AsyncGenerator<Uint8Array, void> {
    for (let start = 0; start < size; start += RANGE_BYTES) {
      const end = Math.min(size, start + RANGE_BYTES);
      yield await this.#range(key, start, end, etag);
    }
  }

  async #range(key: string, start: number, end: number, etag: string | undefined): Promise<Uint8Array> {
    const name = this.#name(key);
    const command = new GetObjectCommand({ ...this.#object(key), Range: `bytes=${start}-${end - 1}`, IfMatch: etag });
    try {
      return await this.#requests.send(
        'get',
        name,
        end - start,
        async (signal) => {
          const { Body } = await this.#client.send(command, { abortSignal: signal });
          return readBody(name, Body as unknown as AsyncIterable<Uint8Array>, end - start, signal);
        },
        isChanged,
      );
    } catch (error) {
      if (!isChanged(error)) throw error;
      throw new StorageError('conflict', {
        got: 'an object that was changed while it was read',
        expected: 'the same bytes to its end',
        where: name,
        remedy: 'Read it when nothing writes to it.',
      });
    }
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#configuration.bucket, Key: key };
  }

  #name(key: string): string {
    return `s3://${this.#configuration.bucket}/${key}`;
  }
}

function isNotThere(error: unknown): boolean {
  const { name, status } = describeFailure(error);
  return name === 'NoSuchKey' || name === 'NotFound' || (status === 404 && name !== 'NoSuchBucket');
}

function isChanged(error: unknown): boolean {
  return describeFailure(error).status === 412 || isNotThere(error);
}
