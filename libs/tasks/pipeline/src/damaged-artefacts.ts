import { isWholePage, modelSummarySchema } from '@orchard/contracts';
import { hashOf, openModel } from '@orchard/model';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { concurrently } from './concurrently.js';
import { parseDocument } from './documents.js';
import { codecsOf } from './families.js';
import type { Family } from './family.js';
import type { Run } from './run.js';

const readsAtOnce = 8;

/**
 * The artefacts below a prefix that `check` throws at, or that the store itself calls damaged.
 *
 * @param check throws for bytes that are not what was written
 * @param atOnce artefacts in memory
 */
export async function damagedBelow(
  store: ObjectStore,
  prefix: string,
  check: (bytes: Uint8Array, name: string) => unknown,
  atOnce = readsAtOnce,
): Promise<readonly string[]> {
  const found = await concurrently(await entriesBelow(store, prefix), atOnce, async ({ name }) => {
    let bytes: Uint8Array;
    try {
      bytes = await store.get(name);
    } catch (error) {
      if (isRefusal(error, 'damaged')) return name;
      throw error;
    }
    try {
      check(bytes, name);
      return null;
    } catch {
      return name;
    }
  });
  return found.filter((name) => name !== null);
}

/**
 * All of a run's artefacts that are damaged: those of its tasks, its models, their summaries and reports. Every one is
 * read. A summary and a model that are not of one another are both named: both are computed again.
 */
export async function damagedArtefacts(store: ObjectStore, family: Family, run: Run): Promise<readonly string[]> {
  const folder = artefactNames.run(run.id);
  const hashes = new Map<string, string>();
  const mismatched: string[] = [];
  const checkModel = (bytes: Uint8Array, name: string): void => {
    openModel(bytes, codecsOf([family]));
    hashes.set(name, hashOf(bytes).digest('hex'));
  };
  // one may be gigabytes
  const models = await damagedBelow(store, `${folder}networks/`, checkModel, 1);
  const summaries = await damagedBelow(store, `${folder}summaries/`, (bytes, name) => {
    const { runId, network } = parseDocument(bytes, name, modelSummarySchema);
    if (runId !== run.id) throw new Error(`the summary of run ${runId}`);
    const model = artefactNames.network(run.id, name.slice(`${folder}summaries/`.length).replace(/\.json$/, ''));
    if (!hashes.has(model) || hashes.get(model) === network.sha256) return;
    mismatched.push(model);
    throw new Error(`the summary of the model ${network.sha256}`);
  });
  const reports = await damagedBelow(store, `${folder}reports/`, (bytes) => {
    if (!isWholePage(bytes)) throw new Error('a page that does not fit its seal');
  });
  return [...(await family.damaged(store, run)), ...models, ...mismatched, ...summaries, ...reports];
}
