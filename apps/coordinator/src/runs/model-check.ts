import { createHash, type Hash } from 'node:crypto';
import { isPageEnd, modelSummarySchema, PAGE_SEAL_BYTES, type ModelSummary } from '@orchard/contracts';
import { artefactNames, parseDocument } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
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

/**
 * Reads a model file through before it is sent, or a client is sent to it: the client gets what was written, or learns
 * that it is damaged. A file of version 1 has no checksum: it is held against its summary.
 *
 * @throws CoordinatorError `damaged-model`
 */
export async function checkModelFile(store: ObjectStore, { run, wanted }: AskedModel): Promise<void> {
  const name = artefactNames.network(run, wanted);
  const file = await readModel(store, run, name);
  if (file.isSealed || file.sha256 === (await readSummary(store, { run, wanted })).network.sha256) return;
  throw damaged(run, name, 'bytes that do not fit their checksum', 'the model that was written');
}

/**
 * Reads a summary before it is sent: it is the run's, and its model is the one that is stored. Where that one is
 * damaged the summary is sent: the client gets an error. A digit that was changed among its figures is noticed by
 * stores that keep checksums (S3), and by no other.
 *
 * @throws CoordinatorError `damaged-model`
 */
export async function checkSummary(store: ObjectStore, { run, wanted }: AskedModel): Promise<void> {
  const name = artefactNames.summary(run, wanted);
  const { runId, network } = await readSummary(store, { run, wanted });
  if (runId !== run) throw damaged(run, name, `the summary of run ${runId}`, `that of run ${run}`);
  const file = await readModel(store, run, artefactNames.network(run, wanted));
  if (!file.isSealed || file.sha256 === network.sha256) return;
  throw damaged(run, name, `a summary of the model ${network.sha256}`, `that of ${file.sha256}, which is stored`);
}

/**
 * Reads a report before it is sent. One of a release that sealed none is sent as it is.
 *
 * @throws CoordinatorError `damaged-model`
 */
export async function checkReport(store: ObjectStore, { run, wanted }: AskedModel): Promise<void> {
  const name = artefactNames.report(run, wanted);
  const { hash, end } = await readThrough(store, run, name, PAGE_SEAL_BYTES);
  if (!isPageEnd(hash.digest('hex'), end))
    throw damaged(run, name, 'bytes that do not fit their checksum', 'the report that was written');
}

async function readSummary(store: ObjectStore, { run, wanted }: AskedModel): Promise<ModelSummary> {
  const name = artefactNames.summary(run, wanted);
  try {
    return parseDocument(await store.get(name), name, modelSummarySchema);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    throw damaged(run, name, 'a summary that cannot be read', 'the one that was written', cause);
  }
}

interface ModelFile {
  readonly sha256: string;
  /** Whether it ends in the checksum of all before it. */
  readonly isSealed: boolean;
}

async function readModel(store: ObjectStore, run: string, name: string): Promise<ModelFile> {
  const { hash, end } = await readThrough(store, run, name, CHECKSUM_BYTES);
  const isSealed = Buffer.compare(hash.copy().digest(), end) === 0;
  return { sha256: hash.update(end).digest('hex'), isSealed };
}

/** @returns the last bytes of a file, `seal` of them or fewer, and the SHA-256 of all before them */
async function readThrough(
  store: ObjectStore,
  run: string,
  name: string,
  seal: number,
): Promise<{ readonly hash: Hash; readonly end: Uint8Array }> {
  const { size } = (await store.head(name)) ?? { size: 0 };
  const hash = createHash('sha256');
  const sealAt = Math.max(0, size - seal);
  try {
    for (let start = 0; start < sealAt; start += PIECE)
      hash.update(await store.get(name, { start, end: Math.min(sealAt, start + PIECE) }));
    return { hash, end: size > 0 ? await store.get(name, { start: sealAt, end: size }) : new Uint8Array() };
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    throw damaged(run, name, 'bytes that the store calls damaged', 'what was written', cause);
  }
}

function isDamage(error: unknown): boolean {
  return isRefusal(error, 'damaged', 'damaged-artefact');
}

function damaged(run: string, where: string, got: string, expected: string, cause?: unknown): CoordinatorError {
  const remedy = `POST /v1/runs/${run}/repair (orchard repair) drops it and computes it again, to the same bytes.`;
  return new CoordinatorError('damaged-model', { got, expected, where, remedy }, { cause });
}
