import { sha256Schema } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { entriesBelow, type ObjectStore } from '@orchard/storage';

const believedMilliseconds = 5_000;

/** Which runs no schedule may delete: an empty object `pins/<run>` each, so that one listing has them all. */
export class RunPins {
  #pinned: { readonly runs: Set<string>; readonly at: number } | null = null;

  constructor(private readonly store: ObjectStore) {}

  /** As of now. */
  async all(): Promise<ReadonlySet<string>> {
    const at = performance.now();
    const names = (await entriesBelow(this.store, artefactNames.pins)).map(({ name }) => name);
    const runs = new Set(names.map((name) => name.slice(artefactNames.pins.length)).filter(isId));
    this.#pinned = { runs, at };
    return runs;
  }

  /** As of the last seconds: what this process pinned itself it knows at once. */
  async shown(): Promise<ReadonlySet<string>> {
    const isFresh = this.#pinned !== null && performance.now() - this.#pinned.at < believedMilliseconds;
    return isFresh ? this.#pinned!.runs : this.all();
  }

  async pin(run: string): Promise<void> {
    await this.store.put(artefactNames.pin(run), new Uint8Array());
    this.#pinned?.runs.add(run);
  }

  async unpin(run: string): Promise<void> {
    await this.store.delete(artefactNames.pin(run));
    this.#pinned?.runs.delete(run);
  }
}

const isId = (run: string): boolean => sha256Schema.safeParse(run).success;
