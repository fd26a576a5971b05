import { createHash, type Hash } from 'node:crypto';
import { isPageEnd, modelSummarySchema, PAGE_SEAL_BYTES, type ModelSummary } from '@orchard/contracts';
import { artefactNames, parseDocument } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { LRUCache } from 'lru-cache';
import { CoordinatorError } from '../errors.js';

/** The checksum at the end of a model file: the SHA-256 of all before it (libs/core/model/FORMAT.md). */
const CHECKSUM_BYTES = 32;
/** Bytes in memory at once. */
const PIECE = 4 << 20;

/** A model as it was asked for: of a run, under the name of what was wanted. */
export interface AskedModel {
  readonly run: string;
  readonly wanted: string;
}

/** What was read through, and what came of it: kept while the object is the same. */
interface ReadThrough {
  /** SHA-256 of all before the end: copied by who takes it further. */
  readonly hash: Hash;
  readonly end: Uint8Array;
}

/** Objects that are remembered, and for how long: a download in parts reads its file through once, and not by each. */
const MOST_REMEMBERED = 1_000;
const REMEMBERED_MILLISECONDS = 600_000;

/**
 * Reads files of runs through before they are sent, or a client is sent to them: the client gets what was written, or
 * learns that it is damaged. What was read is believed for some minutes, as long as its size and its time stay.
 */
export class ModelChecks {
  readonly #read = new LRUCache<string, ReadThrough>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MILLISECONDS });

  constructor(private readonly store: ObjectStore) {}

  /**
   * A model. A file of version 1 has no checksum: it is held against its summary.
   *
   * @throws CoordinatorError `damaged-model`
   */
  async model({ run, wanted }: AskedModel): Promise<void> {
    const name = artefactNames.network(run, wanted);
    const file = await this.#readModel(run, name);
    if (file.isSealed || file.sha256 === (await this.#readSummary({ run, wanted })).network.sha256) return;
    throw damaged(run, name, 'bytes that do not fit their checksum', 'the model that was written');
  }

  /**
   * A summary: it is the run's, and its model is the one that is stored. Where that one is damaged the summary is sent:
   * the client gets an error. A digit that was changed among its figures is noticed by stores that keep checksums (S3),
   * and by no other.
   *
   * @throws CoordinatorError `damaged-model`
   */
  async summary({ run, wanted }: AskedModel): Promise<void> {
    const name = artefactNames.summary(run, wanted);
    const { runId, network } = await this.#readSummary({ run, wanted });
    if (runId !== run) throw damaged(run, name, `the summary of run ${runId}`, `that of run ${run}`);
    const file = await this.#readModel(run, artefactNames.network(run, wanted));
    if (!file.isSealed || file.sha256 === network.sha256) return;
    throw damaged(run, name, `a summary of the model ${network.sha256}`, `that of ${file.sha256}, which is stored`);
  }

  /**
   * A report. One of a release that sealed none is sent as it is.
   *
   * @throws CoordinatorError `damaged-model`
   */
  async report({ run, wanted }: AskedModel): Promise<void> {
    const name = artefactNames.report(run, wanted);
    const { hash, end } = await this.#readThrough(run, name, PAGE_SEAL_BYTES);
    if (!isPageEnd(hash.copy().digest('hex'), end))
      throw damaged(run, name, 'bytes that do not fit their checksum', 'the report that was written');
  }

  async #readSummary({ run, wanted }: AskedModel): Promise<ModelSummary> {
    const name = artefactNames.summary(run, wanted);
    try {
      return parseDocument(await this.store.get(name), name, modelSummarySchema);
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw damaged(run, name, 'a summary that cannot be read', 'the one that was written', cause);
    }
  }

  async #readModel(run: string, name: string): Promise<ModelFile> {
    const { hash, end } = await this.#readThrough(run, name, CHECKSUM_BYTES);
    const isSealed = Buffer.compare(hash.copy().digest(), end) === 0;
    return { sha256: hash.copy().update(end).digest('hex'), isSealed };
  }

  /** The last bytes of a file, `seal` of them or fewer, and the SHA-256 of all before them. */
  async #readThrough(run: string, name: string, seal: number): Promise<ReadThrough> {
    const { size, storedAt } = (await this.store.head(name)) ?? { size: 0, storedAt: 0 };
    const identity = `${name} ${size} ${storedAt}`;
    const known = this.#read.get(identity);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    const sealAt = Math.max(0, size - seal);
    try {
      for (let start = 0; start < sealAt; start += PIECE)
        hash.update(await this.store.get(name, { start, end: Math.min(sealAt, start + PIECE) }));
      const end = size > 0 ? await this.store.get(name, { start: sealAt, end: size }) : new Uint8Array();
      // of its own: what a store hands out may be part of a larger buffer
      const read = { hash, end: end.slice() };
      this.#read.set(identity, read);
      return read;
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw damaged(run, name, 'bytes that the store calls damaged', 'what was written', cause);
    }
  }
}

interface ModelFile {
  readonly sha256: string;
  /** Whether it ends in the checksum of all before it. */
  readonly isSealed: boolean;
}

function isDamage(error: unknown): boolean {
  return isRefusal(error, 'damaged', 'damaged-artefact');
}

function damaged(run: string, where: string, got: string, expected: string, cause?: unknown): CoordinatorError {
  const remedy = `POST /v1/runs/${run}/repair (orchard repair) drops it and computes it again, to the same bytes.`;
  return new CoordinatorError('damaged-model', { got, expected, where, remedy }, { cause });
}
