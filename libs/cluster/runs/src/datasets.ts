import type { BaseSpecification, DatasetFacts } from '@orchard/contracts';
import { artefactNames, datasetFacts, removeUnregistered } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { listAll, type ObjectStore } from '@orchard/storage';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunError } from './errors.js';
import { datasetsOf } from './lifecycle.js';
import type { Marks } from './marks.js';

const factsEnding = '.facts';

/** How long a deletion that is under way may take to see a run, and how often it is looked at meanwhile. */
const patienceMilliseconds = 10_000;
const pauseMilliseconds = 100;

export class StoreDatasets {
  constructor(
    private readonly store: ObjectStore,
    private readonly marks: Marks,
  ) {}

  /** In the order of ids; `unreadable` are those whose stored facts are not what they should be. */
  async list({ after, limit = 100 }: { after?: string | undefined; limit?: number | undefined } = {}): Promise<{
    datasets: readonly DatasetFacts[];
    unreadable: readonly string[];
    next: string | null;
  }> {
    const ids: string[] = [];
    const start = after === undefined ? undefined : artefactNames.datasetFacts(after);
    for await (const { name } of listAll(this.store, artefactNames.datasets, start)) {
      if (!name.endsWith(factsEnding)) continue;
      ids.push(name.slice(artefactNames.datasets.length, -factsEnding.length));
      if (ids.length > limit) break;
    }
    const page = ids.slice(0, limit);
    const unreadable: string[] = [];
    const factsOrNull = async (id: string): Promise<DatasetFacts | null> => {
      return factsUnlessRemoved(this.store, id).catch((error: unknown) => {
        // one data set's damage is that data set's alone
        if (!isRefusal(error, 'damaged-artefact')) throw error;
        unreadable.push(id);
        return null;
      });
    };
    const datasets = await Promise.all(page.map(factsOrNull));
    return {
      datasets: datasets.filter((facts) => facts !== null),
      unreadable: unreadable.sort(),
      next: ids.length > limit ? page.at(-1)! : null,
    };
  }

  /**
   * One order for deletions and submissions: a deletion is announced, takes the facts away, then looks at the runs'
   * marks; a submission makes the mark, then looks for deletions ({@link requireKept}). So at least one sees the other,
   * and where the deletion sees the run it puts the facts back.
   *
   * @throws RunError `dataset-in-use` while a run that is not deleted needs it; `unknown-dataset`
   */
  async remove(id: string): Promise<void> {
    const factsName = artefactNames.datasetFacts(id);
    if ((await this.store.head(factsName)) === null) throw unknownDataset(id);
    await this.#refuseIfNeeded(id);
    const deletion = artefactNames.datasetDeletion(id);
    const facts = await this.store.get(factsName);
    await this.store.put(deletion, new Uint8Array());
    // without its facts a data set is not there: no run can be submitted with it from now on
    await this.store.delete(factsName);
    try {
      await this.#refuseIfNeeded(id);
    } catch (error) {
      await this.store.put(factsName, facts);
      await this.store.delete(deletion);
      throw error;
    }
    await removeUnregistered(this.store, id);
  }

  /**
   * Called when a run's mark is made: that its data sets are not being deleted at this moment, or were a moment ago.
   * Where one is, the deletion sees the run, and its facts come back within moments.
   *
   * @throws RunError `unknown-dataset` where one is gone
   */
  async requireKept(specification: BaseSpecification): Promise<void> {
    const own = new Set(datasetsOf({ specification }));
    for await (const { name } of listAll(this.store, artefactNames.datasetDeletions)) {
      const id = name.slice(artefactNames.datasetDeletions.length);
      if (!own.has(id)) continue;
      const factsName = artefactNames.datasetFacts(id);
      for (let waited = 0; (await this.store.head(factsName)) === null; waited += pauseMilliseconds) {
        if (waited >= patienceMilliseconds || (await this.store.head(artefactNames.dataset(id))) === null)
          throw unknownDataset(id);
        await sleep(pauseMilliseconds);
      }
    }
  }

  async #refuseIfNeeded(id: string): Promise<void> {
    for await (const [run, { life }] of this.marks.needing(id)) {
      if (life === null || !datasetsOf(life).includes(id)) continue;
      throw new RunError('dataset-in-use', {
        got: `data set ${id}, which run ${run} needs`,
        expected: 'a data set that no run needs',
        remedy: 'Delete the run first.',
      });
    }
  }
}

/** What is known of a data set; null where it was removed since it was listed. */
export async function factsUnlessRemoved(store: ObjectStore, id: string): Promise<DatasetFacts | null> {
  try {
    return await datasetFacts(store, id);
  } catch (error) {
    if (isRefusal(error, 'missing-artefact')) return null;
    throw error;
  }
}

function unknownDataset(id: string): RunError {
  const remedy = 'Check the id, or upload the data again.';
  return new RunError('unknown-dataset', { got: `data set ${id}`, expected: 'one that was registered', remedy });
}
