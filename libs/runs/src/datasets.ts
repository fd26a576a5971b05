import type { DatasetFacts } from '@orchard/contracts';
import { artefactNames, datasetFacts, PipelineError, removeUnregistered } from '@orchard/pipeline';
import { listAll, type ObjectStore } from '@orchard/storage';
import { RunError } from './errors.js';
import { lifeOf } from './life.js';
import type { Marks } from './marks.js';
import type { Datasets } from './runs.js';

const factsEnding = '.facts';

export class StoreDatasets implements Datasets {
  readonly #store: ObjectStore;
  readonly #marks: Marks;

  constructor(store: ObjectStore, marks: Marks) {
    this.#store = store;
    this.#marks = marks;
  }

  async list({ after, limit = 100 }: { after?: string | undefined; limit?: number | undefined } = {}): Promise<{
    datasets: readonly DatasetFacts[];
    unreadable: readonly string[];
    next: string | null;
  }> {
    const ids: string[] = [];
    for await (const { name } of listAll(this.#store, artefactNames.datasets)) {
      if (!name.endsWith(factsEnding)) continue;
      const id = name.slice(artefactNames.datasets.length, -factsEnding.length);
      if (after === undefined || id > after) ids.push(id);
      if (ids.length > limit) break;
    }
    const page = ids.slice(0, limit);
    const unreadable: string[] = [];
    const datasets = await Promise.all(page.map((id) => this.#factsOrNull(id, () => unreadable.push(id))));
    return {
      datasets: datasets.filter((facts) => facts !== null),
      unreadable: unreadable.sort(),
      next: ids.length > limit ? page.at(-1)! : null,
    };
  }

  /** One data set's damage is that data set's alone; one that was removed since it was listed is not there. */
  async #factsOrNull(id: string, onUnreadable: () => void): Promise<DatasetFacts | null> {
    try {
      return await datasetFacts(this.#store, id);
    } catch (error) {
      const code = error instanceof PipelineError ? error.code : null;
      if (code !== 'missing-artefact' && code !== 'damaged-artefact') throw error;
      if (code === 'damaged-artefact') onUnreadable();
      return null;
    }
  }

  async remove(id: string): Promise<void> {
    const factsName = artefactNames.datasetFacts(id);
    if ((await this.#store.head(factsName)) === null) {
      const remedy = 'Check the id.';
      throw new RunError('unknown-dataset', { got: `data set ${id}`, expected: 'one that was registered', remedy });
    }
    await this.#refuseIfNeeded(id);
    const facts = await this.#store.get(factsName);
    // without its facts a data set is not there: no run can be submitted with it from now on
    await this.#store.delete(factsName);
    try {
      await this.#refuseIfNeeded(id);
    } catch (error) {
      await this.#store.put(factsName, facts);
      throw error;
    }
    await removeUnregistered(this.#store, id);
  }

  async #refuseIfNeeded(id: string): Promise<void> {
    for (const [run, marks] of await this.#marks.all()) {
      const life = lifeOf(marks);
      if (life === null || life.standing === 'deleted') continue;
      const { train, valid, test } = life.specification;
      if (![train, valid, test].includes(id)) continue;
      throw new RunError('dataset-in-use', {
        got: `data set ${id}, which run ${run} needs`,
        expected: 'a data set that no run needs',
        remedy: 'Delete the run first.',
      });
    }
  }
}
