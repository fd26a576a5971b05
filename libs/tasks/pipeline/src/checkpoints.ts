import { isRefusal, type Refusal } from '@orchard/refusal';
import { listAll, type ObjectStore } from '@orchard/storage';
import { numberIn } from './artefact-names.js';

/** What a task has stored of its work so far: one object, whose name ends in how far it was. */
export class Checkpoints {
  #storing = Promise.resolve();
  #areThere = false;
  #conflict: Refusal | null = null;

  constructor(
    private readonly store: ObjectStore,
    /** Of their names. */
    private readonly prefix: string,
    /** Throws where one cannot be read. */
    private readonly check: (bytes: Uint8Array, name: string) => void,
  ) {}

  /**
   * The newest that can be read, or null. A damaged one is deleted: a checkpoint is a convenience, and training from an
   * older one ends in the same bytes.
   */
  async latest(): Promise<Uint8Array | null> {
    for (const name of (await this.#places()).reverse().map((at) => this.#nameOf(at))) {
      try {
        const bytes = await this.store.get(name);
        this.check(bytes, name);
        this.#areThere = true;
        return bytes;
      } catch (error) {
        if (!isRefusal(error, 'damaged-artefact', 'damaged')) throw error;
        await this.store.delete(name);
      }
    }
    return null;
  }

  /**
   * Stores one after those before it, while the task goes on, and then deletes those.
   *
   * @param onFailure called with what kept it from being stored: the task goes on without it
   */
  put(bytes: Uint8Array, at: number, onFailure: (error: unknown) => void): void {
    this.#areThere = true;
    this.#storing = this.#storing
      .then(async () => {
        await this.store.put(this.#nameOf(at), bytes);
        for (const earlier of await this.#places()) if (earlier < at) await this.store.delete(this.#nameOf(earlier));
      })
      .catch((error: unknown) => {
        if (isRefusal(error, 'conflict')) this.#conflict ??= error;
        else onFailure(error);
      });
  }

  /**
   * Once all are stored that were put.
   *
   * @throws StorageError `conflict` where another checkpoint stands at the same place: the work is not deterministic,
   *   so no result of it may be stored
   */
  async stored(): Promise<void> {
    await this.#storing;
    if (this.#conflict !== null) throw this.#conflict as Refusal;
  }

  /** Deletes those of this task, which is done. */
  async clear(): Promise<void> {
    if (this.#areThere) for (const at of await this.#places()) await this.store.delete(this.#nameOf(at));
  }

  #nameOf(at: number): string {
    return `${this.prefix}${String(at)}`;
  }

  /** Ascending. */
  async #places(): Promise<number[]> {
    const found: number[] = [];
    for await (const { name } of listAll(this.store, this.prefix)) {
      const at = numberIn(name, this.prefix);
      if (at !== null) found.push(at);
    }
    return found.sort((a, b) => a - b);
  }
}
