import { canonicalJson, parseContract, runSpecificationSchema, selectionMethodSchema } from '@orchard/contracts';
import { listAll, StorageError, type ObjectStore } from '@orchard/storage';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

const choiceSchema = z.strictObject({ selection: selectionMethodSchema, refit: z.boolean() });
const stamp = {
  /** Tells marks apart that say the same. */
  id: z.string(),
  /** ISO 8601: for people, and no part of any artefact. */
  at: z.string(),
};

/** One thing that was decided about a run, by people or by the reconciler. */
export const markSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('submit'), ...stamp, specification: runSpecificationSchema, choice: choiceSchema }),
  z.strictObject({ kind: z.literal('select'), ...stamp, choice: choiceSchema }),
  z.strictObject({ kind: z.literal('cancel'), ...stamp }),
  z.strictObject({ kind: z.literal('resume'), ...stamp }),
  z.strictObject({ kind: z.literal('delete'), ...stamp }),
  /** Nothing of the run is stored any more but its marks. */
  z.strictObject({ kind: z.literal('removed'), ...stamp }),
  z.strictObject({ kind: z.literal('done'), ...stamp }),
  z.strictObject({ kind: z.literal('failed'), ...stamp, reason: z.string() }),
]);

export type Mark = z.infer<typeof markSchema>;
export type MarkKind = Mark['kind'];
type Unstamped<M> = M extends Mark ? Omit<M, keyof typeof stamp> : never;
/** A mark to be made. */
export type Decision = Unstamped<Mark>;

const prefix = 'marks/';
const digits = 6;

/**
 * The marks of all runs: `marks/<run>/<number>`, numbered from 0 without gaps and created once each. So everybody who
 * reads them sees the same history, and of two who decide at once the second is told that its number is taken and decides
 * again. They lie apart from the artefacts, so that a look at all runs lists a handful of names each.
 */
export class Marks {
  readonly #store: ObjectStore;
  /** Marks never change: what was read once is known. */
  readonly #known = new Map<string, Mark>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async of(run: string): Promise<readonly Mark[]> {
    const names: string[] = [];
    for await (const { name } of listAll(this.#store, `${prefix}${run}/`)) names.push(name);
    return this.#read(names);
  }

  /** Of every run, by id in ascending order. */
  async all(): Promise<ReadonlyMap<string, readonly Mark[]>> {
    const names = new Map<string, string[]>();
    for await (const { name } of listAll(this.#store, prefix)) {
      const run = name.slice(prefix.length, name.lastIndexOf('/'));
      const own = names.get(run);
      if (own === undefined) names.set(run, [name]);
      else own.push(name);
    }
    const marks = new Map<string, readonly Mark[]>();
    for (const [run, own] of names) marks.set(run, await this.#read(own));
    return marks;
  }

  /** @returns false where somebody else took the number: read again and decide anew */
  async append(run: string, number: number, decision: Decision): Promise<boolean> {
    const mark = { ...decision, id: randomUUID(), at: new Date().toISOString() } as Mark;
    const name = `${prefix}${run}/${String(number).padStart(digits, '0')}`;
    try {
      await this.#store.put(name, Buffer.from(`${canonicalJson(mark)}\n`, 'utf8'));
      this.#known.set(name, mark);
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.code === 'conflict') return false;
      throw error;
    }
  }

  #read(names: readonly string[]): Promise<readonly Mark[]> {
    return Promise.all(
      names.map(async (name) => {
        const known = this.#known.get(name);
        if (known !== undefined) return known;
        const text = Buffer.from(await this.#store.get(name)).toString('utf8');
        const mark = parseContract(markSchema, JSON.parse(text), `mark ${name}`);
        this.#known.set(name, mark);
        return mark;
      }),
    );
  }
}
