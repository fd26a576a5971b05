import { runSheetSchema, type RunSheet } from '@orchard/contracts';
import { artefactNames, concurrently, Kept, keptDocuments, parseDocument, sealedBytes } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';

const readsAtOnce = 32;

/**
 * Who submitted a run first, and what it is called: `runs/<run>/sheet`, which goes with the run. No part of what the
 * run is, and so none of its marks: a run without a sheet is as good as any.
 */
export class RunSheets {
  /** Of runs, for a while: one that is deleted and submitted again is another's. */
  readonly #sheets = new Kept<RunSheet>(keptDocuments);

  constructor(private readonly store: ObjectStore) {}

  async write(run: string, sheet: RunSheet): Promise<void> {
    this.#sheets.delete(run);
    try {
      await this.store.put(artefactNames.sheet(run), sealedBytes(sheet));
    } catch (error) {
      // another request was first
      if (!isRefusal(error, 'conflict')) throw error;
    }
  }

  /** Null of a run without one. One that is damaged is none: nothing of a run hangs on what it is called. */
  async of(run: string): Promise<RunSheet | null> {
    const sheet = this.#sheets.get(run) ?? (await this.#read(run)) ?? (await this.#readOld(run));
    if (sheet !== null) this.#sheets.set(run, sheet);
    return sheet;
  }

  /** Of those that have one. */
  async ofAll(runs: readonly string[]): Promise<ReadonlyMap<string, RunSheet>> {
    const sheets = new Map<string, RunSheet>();
    await concurrently(runs, readsAtOnce, async (run) => {
      const sheet = await this.of(run);
      if (sheet !== null) sheets.set(run, sheet);
    });
    return sheets;
  }

  async #read(run: string): Promise<RunSheet | null> {
    const name = artefactNames.sheet(run);
    try {
      return parseDocument(await this.store.get(name), name, runSheetSchema);
    } catch (error) {
      if (isRefusal(error, 'missing', 'damaged', 'damaged-artefact')) return null;
      throw error;
    }
  }

  /**
   * Releases before wrote the name of the submitter alone. Whether it was a token's or a user's is not known, so such a
   * run is shown with the name and belongs to no person.
   */
  async #readOld(run: string): Promise<RunSheet | null> {
    try {
      const name = Buffer.from(await this.store.get(`${artefactNames.run(run)}submitted-by`)).toString('utf8');
      return { submitter: { name, way: 'unknown' }, name: null, labels: {}, priority: 'normal' };
    } catch (error) {
      if (isRefusal(error, 'missing', 'damaged')) return null;
      throw error;
    }
  }
}
