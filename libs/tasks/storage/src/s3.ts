import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type GetObjectCommandOutput,
  type HeadObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { differs, missing, StorageError } from './errors.js';
import { checkList, checkName, checkRange, isName } from './names.js';
import {
  largestPage,
  type ByteRange,
  type ListOptions,
  type ObjectEntry,
  type ObjectStore,
  type PutResult,
} from './object-store.js';
import { readBody, sha256, verify } from './s3-body.js';
import { connect, resolve, signerOf, type Resolved, type S3Configuration } from './s3-configuration.js';
import { honoursCreateOnly, probe } from './s3-create-only.js';
import { failure, isBeyondEnd, isMissing, isTaken, isUploadGone } from './s3-errors.js';
import { uploadInParts } from './s3-multipart.js';
import { presignedUrl } from './s3-presigned.js';
import { Requests } from './s3-requests.js';
import { uploadWhole, type Upload } from './s3-upload.js';

export { BucketObjects, type BucketObject } from './remote/bucket-objects.js';
export type { S3Attempt, S3Configuration } from './s3-configuration.js';

/** So often a create-only put may find a name taken under which nothing is. */
const conditionalAttempts = 2;

/**
 * Objects in a bucket of S3 or a server that speaks it.
 *
 * A put carries `If-None-Match: *`, so that the server lets one writer create a name; the others compare. The SHA-256
 * of what was written is kept with the object: reading a whole object verifies it, and comparing needs no download.
 * Requests that fail in passing are tried again. A put whose answer was lost then gets `exists`, never `created` twice.
 */
export class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #signer: S3Client;
  readonly #configuration: Resolved;
  readonly #requests: Requests;
  #putsAreConditional = true;
  /** Asked when the first object is written in parts. */
  #partsAreConditional: Promise<boolean> | undefined;

  private constructor(configuration: S3Configuration, resolved: Resolved) {
    this.#client = connect(configuration, resolved);
    this.#signer = signerOf(this.#client, configuration, resolved);
    this.#configuration = resolved;
    this.#requests = new Requests(resolved);
  }

  /**
   * Connects, and finds out whether the server honours create-only puts: one or two requests that write a tiny object
   * named `.orchard-create-only`, which stays there. It is read back: a web server answers requests too.
   *
   * @throws StorageError where the configuration is wrong, the server cannot be reached, or the bucket is not there
   */
  static async open(configuration: S3Configuration): Promise<S3Store> {
    const store = new S3Store(configuration, resolve(configuration));
    try {
      store.#putsAreConditional = await store.#honours(false);
      await store.#checkIsStore(configuration.endpoint);
    } catch (error) {
      store.close();
      throw error;
    }
    return store;
  }

  /**
   * Whether the server itself refuses a second writer. Where it does not (false), a put looks for the object before it
   * writes and compares after it: the same name has the same bytes or an error, but of two writers at the same moment
   * both may get `created`, and with different bytes the later one is what stays. The administrator has to be warned.
   */
  get isCreateOnly(): boolean {
    return this.#putsAreConditional;
  }

  /** Ends idle connections; to be called once, when no request is on its way. */
  close(): void {
    this.#client.destroy();
    this.#signer.destroy();
  }

  async put(name: string, bytes: Uint8Array): Promise<PutResult> {
    checkName(name);
    const large = bytes.length > this.#configuration.partSize;
    const createOnly = large ? await this.#honoursInParts() : this.#putsAreConditional;
    let upload: Upload = { name, object: this.#object(name), bytes, sha256: await sha256(bytes), createOnly };
    // a large object is looked for before it is sent; without conditions every one is
    if ((large || !createOnly) && (await this.#compare(upload))) return 'exists';
    let lost: unknown;
    for (let attempt = 1; attempt <= this.#configuration.attempts; attempt += 1) {
      try {
        await this.#write(upload, large);
        if (upload.createOnly || (await this.#compare(upload))) return 'created';
      } catch (error) {
        if (!isTaken(error) && !isUploadGone(error)) throw failure(name, error, 1);
        if (await this.#compare(upload)) return 'exists';
        lost = error;
      }
      // taken, and yet not there: it was deleted between the two requests, and the name is free again. When that is so
      // again, the server counts a deleted object of a bucket with versions as one that is there. Its condition is of
      // no use for this name: what is there is compared afterwards, as where a server knows no conditions
      if (attempt >= conditionalAttempts) upload = { ...upload, createOnly: false };
    }
    const { attempts } = this.#configuration;
    throw new StorageError(
      'unavailable',
      {
        got: `no object after ${attempts} writes that succeeded or found the name taken`,
        expected: 'an object',
        where: name,
        remedy: 'Check what else writes to and deletes from this bucket.',
      },
      { cause: lost },
    );
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    checkName(name);
    if (range) checkRange(name, range);
    const expected = range ? range.end - range.start : 0;
    try {
      return await this.#requests.send(
        'get',
        name,
        expected,
        (signal, allow) => this.#read(name, range, signal, allow),
        isFinalForGet,
      );
    } catch (error) {
      if (isMissing(error)) throw missing(name, error);
      if (range && isBeyondEnd(error)) return new Uint8Array(0);
      throw error;
    }
  }

  async head(name: string): Promise<ObjectEntry | null> {
    checkName(name);
    const found = await this.#head(name);
    return found && { name, size: found.ContentLength ?? 0, storedAt: timeOf(found.LastModified) };
  }

  async list(prefix: string, options: ListOptions = {}): Promise<readonly ObjectEntry[]> {
    checkList(prefix, options);
    const { limit = largestPage } = options;
    const { bucket: Bucket, prefix: folder } = this.#configuration;
    const entries: ObjectEntry[] = [];
    let StartAfter = options.after ? folder + options.after : undefined;
    for (;;) {
      // keys that are not names (the probe's) are passed over, so a page may need another request
      const input = { Bucket, Prefix: folder + prefix, MaxKeys: limit - entries.length, StartAfter };
      const page = await this.#requests.send('list', prefix, 0, (abortSignal) =>
        this.#client.send(new ListObjectsV2Command(input), { abortSignal }),
      );
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        const name = Key.slice(folder.length);
        if (isName(name)) entries.push({ name, size: Size, storedAt: timeOf(LastModified) });
        StartAfter = Key;
      }
      if (!page.IsTruncated || entries.length === limit || !page.Contents?.length) return entries;
    }
  }

  async delete(name: string): Promise<void> {
    checkName(name);
    const command = new DeleteObjectCommand(this.#object(name));
    try {
      await this.#requests.send(
        'delete',
        name,
        0,
        (abortSignal) => this.#client.send(command, { abortSignal }),
        isMissing,
      );
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /**
   * A URL at the public endpoint that anybody may read one object with, and do nothing else, until it expires. No
   * request is made: whether the object is there, the reader finds out.
   *
   * @param seconds a whole number from 1 to 604800, a week; credentials that end sooner end the URL with them
   * @throws StorageError `invalid-name`, `invalid-range`; `denied` or `unavailable` where no credentials are found
   */
  async presign(name: string, seconds: number): Promise<string> {
    checkName(name);
    // as the client has it from the answers to its requests; the signer sends none
    const now = new Date(Date.now() + this.#client.config.systemClockOffset);
    return presignedUrl(this.#signer, name, this.#object(name), seconds, now);
  }

  #object(name: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#configuration;
    return { Bucket: bucket, Key: prefix + name };
  }

  #honoursInParts(): Promise<boolean> {
    this.#partsAreConditional ??= this.#honours(true).catch((error: unknown) => {
      this.#partsAreConditional = undefined;
      throw error;
    });
    return this.#partsAreConditional;
  }

  async #honours(inParts: boolean): Promise<boolean> {
    const bytes = probe.bytes;
    const upload = { name: probe.key, object: this.#object(probe.key), bytes, sha256: await sha256(bytes) };
    return honoursCreateOnly(() => this.#write({ ...upload, createOnly: true }, inParts));
  }

  /** @throws StorageError `unsupported` where what answers has not kept what was just written */
  async #checkIsStore(endpoint = 'AWS'): Promise<void> {
    const name = probe.key;
    let got: string;
    try {
      const found = await this.#requests.send('get', name, 0, (signal, allow) =>
        this.#read(name, undefined, signal, allow),
      );
      if (Buffer.compare(found, probe.bytes) === 0) return;
      got = `${found.length} bytes, ${shown(found)}`;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code === 'unsupported') throw error;
      // a key that may not read, say: the first request that needs it meets the same
      if (error.code !== 'damaged') return;
      got = error.got;
    }
    throw new StorageError('unsupported', {
      got,
      expected: 'the object that was just written',
      where: `${this.#configuration.bucket} at ${endpoint}`,
      remedy: 'Correct the endpoint: what answers there takes requests, but does not keep what is stored.',
    });
  }

  #write(upload: Upload, inParts: boolean): Promise<void> {
    const { partSize } = this.#configuration;
    return inParts
      ? uploadInParts(this.#client, this.#requests, upload, partSize)
      : uploadWhole(this.#client, this.#requests, upload);
  }

  async #read(
    name: string,
    range: ByteRange | undefined,
    abortSignal: AbortSignal,
    allow: (bytes: number) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const Range = range && `bytes=${range.start}-${range.end - 1}`;
    const found = await this.#client.send(new GetObjectCommand({ ...this.#object(name), Range }), { abortSignal });
    const { ContentLength: length = 0, ContentEncoding: encoding = '' } = found;
    if (/gzip|deflate|br|zstd/.test(encoding))
      throw new StorageError('unsupported', {
        got: `a body that was compressed on the way (${encoding.slice(0, 20)})`,
        expected: 'the bytes as they are stored',
        where: name,
        remedy: 'Switch compression off in the proxy between here and object storage; the object itself is well.',
      });
    allow(length);
    const bytes = await readBody(name, chunksOf(found), length, abortSignal);
    const written = found.Metadata?.['sha256'];
    if (range) return found.$metadata.httpStatusCode === 206 ? bytes : bytes.slice(range.start, range.end);
    if (written !== undefined) await verify(name, bytes, written);
    return bytes;
  }

  async #head(name: string): Promise<HeadObjectCommandOutput | null> {
    const command = new HeadObjectCommand(this.#object(name));
    try {
      return await this.#requests.send(
        'head',
        name,
        0,
        (abortSignal) => this.#client.send(command, { abortSignal }),
        isMissing,
      );
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /**
   * Whether these bytes are stored: true, or false where nothing is.
   *
   * @throws StorageError `conflict` where other bytes are
   */
  async #compare({ name, bytes, sha256: expected }: Upload): Promise<boolean> {
    const found = await this.#head(name);
    if (found === null) return false;
    const { ContentLength = 0, Metadata } = found;
    let same = ContentLength === bytes.length;
    if (same && Metadata?.['sha256'] !== undefined) same = Metadata['sha256'] === expected;
    else if (same) same = Buffer.compare(await this.get(name), bytes) === 0;
    if (!same) throw differs(name, ContentLength, bytes.length);
    return true;
  }
}

/** The beginning of what came, in printable letters. */
function shown(bytes: Uint8Array): string {
  return JSON.stringify(
    Buffer.from(bytes.subarray(0, 40))
      .toString('latin1')
      .replace(/[^ -~]+/g, ' '),
  );
}

/** An object without a time of the server counts as stored just now. */
function timeOf(lastModified: Date | undefined): number {
  return (lastModified ?? new Date()).getTime();
}

function isFinalForGet(error: unknown): boolean {
  return isMissing(error) || isBeyondEnd(error);
}

function chunksOf({ Body }: GetObjectCommandOutput): AsyncIterable<Uint8Array> {
  return (Body ?? []) as AsyncIterable<Uint8Array>;
}
