import type { BaseSpecification } from '@orchard/contracts';
import { builtModule, failureInThread, ThreadsWhenAsked } from '@orchard/pipeline';
import type { Examination } from '@orchard/runs';
import type { ObjectStore } from '@orchard/storage';
import { computations } from './computations.js';

const module = builtModule('computations', import.meta.url);

/**
 * Examines runs on a thread of its own, one after another: the main thread answers others meanwhile. Those of requests
 * open no model that is larger than what they may keep; here each is read once.
 */
export class ExaminationOnThread implements Examination {
  readonly #threads: ThreadsWhenAsked;

  constructor(store: ObjectStore) {
    this.#threads = new ThreadsWhenAsked({ store, threads: 1 });
  }

  artefacts(specification: BaseSpecification): Promise<readonly string[]> {
    return this.#call('examineArtefacts', specification);
  }

  datasets(names: readonly string[]): Promise<readonly string[]> {
    return names.length === 0 ? Promise.resolve([]) : this.#call('examineDatasets', names);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #call(name: 'examineArtefacts' | 'examineDatasets', input: unknown): Promise<readonly string[]> {
    try {
      const call = await this.#threads.call({ module, functions: computations });
      return await call<readonly string[]>(name, input);
    } catch (error) {
      throw failureInThread(error);
    }
  }
}
