import { artefactNames, Kept, keptDocuments, parseDocument, sealedBytes } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { z } from 'zod';

const costSchema = z.strictObject({
  /** Of jobs that were completed or failed; what workers took that were lost is not known. */
  threadSeconds: z.number().min(0),
  /** False where a part was computed while the coordinator that wrote this was not there. */
  isWhole: z.boolean(),
});

/** What workers and selectors spent on a run. */
export type RunCost = Readonly<z.infer<typeof costSchema>>;

export const noCost: RunCost = { threadSeconds: 0, isWhole: true };

/**
 * What a run has cost, in the store: `runs/<run>/cost/<marks>`, written by the coordinator that ends it. A run that is
 * resumed ends again, and what it costs is the sum.
 */
export class RunCosts {
  /** An object is never changed. */
  readonly #costs = new Kept<RunCost>(keptDocuments);

  constructor(private readonly store: ObjectStore) {}

  /** @param marks how many the run has */
  async write(run: string, marks: number, cost: RunCost): Promise<void> {
    try {
      await this.store.put(`${artefactNames.costs(run)}${String(marks).padStart(6, '0')}`, sealedBytes(cost));
    } catch (error) {
      // another coordinator has ended it too, and has seen as much
      if (!isRefusal(error, 'conflict')) throw error;
    }
  }

  /** Null where nothing was written: of a run that never ended, or of an older release. */
  async of(run: string): Promise<RunCost | null> {
    const names = (await entriesBelow(this.store, artefactNames.costs(run))).map(({ name }) => name);
    const costs = await Promise.all(names.map((name) => this.#read(name)));
    const known = costs.filter((cost) => cost !== null);
    if (known.length === 0) return null;
    return {
      ...known.reduce(sumCosts),
      isWhole: known.length === costs.length && known.every(({ isWhole }) => isWhole),
    };
  }

  /** Null of one that is damaged: nothing hangs on it. */
  async #read(name: string): Promise<RunCost | null> {
    const known = this.#costs.get(name);
    if (known !== undefined) return known;
    try {
      const cost = parseDocument(await this.store.get(name), name, costSchema);
      this.#costs.set(name, cost);
      return cost;
    } catch (error) {
      if (isRefusal(error, 'missing', 'damaged', 'damaged-artefact')) return null;
      throw error;
    }
  }
}

export function sumCosts(a: RunCost, b: RunCost): RunCost {
  return { threadSeconds: a.threadSeconds + b.threadSeconds, isWhole: a.isWhole && b.isWhole };
}
