import { artefactNames } from '@orchard/pipeline';
import { StorageError, type ByteRange, type ListOptions, type ObjectEntry, type ObjectStore } from '@orchard/storage';
import type { LocalRuns } from '../run-folder/local-runs.js';

/** What the runs of this machine have stored, each in a folder of its own, as one store that is only read. */
export class StoreOfRuns implements ObjectStore {
  constructor(private readonly runs: LocalRuns) {}

  async get(name: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#storeOf(name)).get(name, range);
  }

  async head(name: string): Promise<ObjectEntry | null> {
    return (await this.#storeOf(name)).head(name);
  }

  async list(prefix: string, options?: ListOptions): Promise<readonly ObjectEntry[]> {
    return (await this.#storeOf(prefix)).list(prefix, options);
  }

  put(name: string): Promise<never> {
    return Promise.reject(readOnly(name));
  }

  delete(name: string): Promise<never> {
    return Promise.reject(readOnly(name));
  }

  /** The store of the run that a name is of; of a data set that of any run which has it. */
  async #storeOf(name: string): Promise<ObjectStore> {
    const all = await this.runs.all();
    const id = name.startsWith(artefactNames.runs) ? name.slice(artefactNames.runs.length).split('/')[0]! : '';
    const own = all.get(id)?.store;
    if (own !== undefined) return own;
    for (const { store } of all.values()) if ((await store.head(name)) !== null) return store;
    throw new StorageError('missing', {
      got: 'nothing',
      expected: 'an object of a run of this machine',
      where: name,
      remedy: 'Check that the folder of the run is still there.',
    });
  }
}

function readOnly(name: string): StorageError {
  return new StorageError('unsupported', {
    got: 'something to write',
    expected: 'questions alone: runs of this machine are shown and not changed',
    where: name,
    remedy: 'Use orchard train.',
  });
}
