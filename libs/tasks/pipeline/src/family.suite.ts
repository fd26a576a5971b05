import { BitMatrix } from '@orchard/dataset';
import { openModel } from '@orchard/model';
import { RandomStream } from '@orchard/numerics';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import { describe, expect, test } from 'vitest';
import {
  artefactNames,
  createRun,
  damagedArtefacts,
  gridOf,
  isLearnedBy,
  LocalCompute,
  registerDataset,
  runLocally,
  type Family,
  type Run,
  type RunDatasets,
} from './index.js';
import { codecsOf } from './families.js';
import { contentOf, temporaryStore, watchedStore } from '@orchard/storage/testing';
import { registerSplits } from './stores.suite.js';

export { contentOf, storeThat, temporaryStore, watchedStore } from '@orchard/storage/testing';
export {
  plainRows,
  registerSplits,
  standardDatasets,
  standardSplits,
  trainedOn,
  type TestRun,
} from './stores.suite.js';

const tests = {
  threads: 'ends in the same bytes on one thread and on three',
  killed: 'killed after every few artefacts and begun again, ends in the same bytes',
  stopped: 'stopped by a signal, says so and ends in the same bytes when it is begun again',
  repaired: 'finds what is damaged in every folder, and makes it again to the same bytes where the model needs it',
  replayed: 'does each of its tasks again to the same bytes',
  reported: 'draws the report that it stores, and opens the model that it stores',
  few: 'learns one column, and one row',
  rows: 'refuses other rows than it learns, splits without rows and splits that do not fit',
  words: 'refuses an option that it does not know, and runs of another arithmetic',
} as const;

/** What a variant of a family does as the family does it, but for the artefacts that it has of its own. */
const leftOfVariants: readonly (keyof typeof tests)[] = ['killed', 'stopped', 'repaired', 'reported', 'few'];

export interface FamilyTestOptions {
  /** Training, validation and test rows that it learns. @default rows of 0 and 1 */
  readonly rows?: () => Promise<readonly [BitMatrix, BitMatrix, BitMatrix]>;
  /** Tests that do not hold, and why. */
  readonly skip?: readonly { readonly test: keyof typeof tests; readonly reason: string }[];
  /**
   * What `npm run nightly` runs, and not `npm test`: all, or what a variant of a family does as the family does it.
   * Another run of the same family stands beside it, all of which `npm test` runs.
   */
  readonly nightly?: 'all' | 'half';
}

/**
 * What every family has to do, whatever its models are: {@link Family} as tests.
 *
 * @param words of a run that is done in a second
 */
export function describeFamily(family: Family, words: object, options: FamilyTestOptions = {}): void {
  const { rows = someRowsOfBits, skip = [], nightly } = options;
  const holds = (name: keyof typeof tests, body: () => Promise<void>): void => {
    const skipped = skip.find((one) => one.test === name);
    const tags = nightly === 'half' && leftOfVariants.includes(name) ? ['nightly'] : [];
    if (skipped === undefined) test(tests[name], { tags, timeout: 120_000 }, body);
    else test.skip(`${tests[name]} (${skipped.reason})`, body);
  };
  const begin = async (): Promise<{ store: ObjectStore; datasets: RunDatasets }> => {
    const store = temporaryStore();
    return { store, datasets: await registerSplits(store, await rows()) };
  };
  const runIn = (store: ObjectStore, datasets: RunDatasets, threads = 1, signal?: AbortSignal) =>
    runLocally({ store, family, ...family.resolve({ ...words }, datasets), threads, signal });

  describe(
    `the family ${family.name} with ${JSON.stringify(words)}`,
    { tags: nightly === 'all' ? ['nightly'] : [] },
    () => {
      /** What a run on one thread stores, of which all others are to store the same. */
      let whole: { content: Readonly<Record<string, string>>; objects: Map<string, Uint8Array> } | undefined;
      const wholeRun = async (): Promise<NonNullable<typeof whole>> => {
        if (whole === undefined) {
          const { store, datasets } = await begin();
          await runIn(store, datasets);
          const objects = new Map<string, Uint8Array>();
          const content = await contentOf(store);
          for (const name of Object.keys(content)) objects.set(name, await store.get(name));
          whole = { content, objects };
        }
        return whole;
      };
      const expected = async (): Promise<Readonly<Record<string, string>>> => (await wholeRun()).content;
      /** Where that run has ended: for tests of what comes then, which need not train it again. */
      const ended = async (): ReturnType<typeof begin> => {
        const { store, datasets } = await begin();
        for (const [name, bytes] of (await wholeRun()).objects) await store.put(name, bytes);
        expect(await contentOf(store)).toEqual(await expected());
        return { store, datasets };
      };

      holds('threads', async () => {
        const { store, datasets } = await begin();
        await runIn(store, datasets, 3);
        expect(await contentOf(store)).toEqual(await expected());
        await expectWholeGrid(store, family, family.resolve({ ...words }, datasets));
      });

      holds('killed', async () => {
        const { store, datasets } = await begin();
        let lives = 0;
        for (let isDone = false; !isDone; lives++) {
          isDone = await runIn(dyingStore(store, 2 + lives), datasets).then(
            () => true,
            (error: unknown) => {
              expect(String((error as Error).message)).toContain('the store is gone');
              return false;
            },
          );
        }
        expect(lives).toBeGreaterThan(1);
        expect(await contentOf(store)).toEqual(await expected());
      });

      holds('stopped', async () => {
        const { store, datasets } = await begin();
        const stop = new AbortController();
        const stopping = runIn(signalOnPut(store, stop), datasets, 2, stop.signal);
        await expect(stopping).rejects.toMatchObject({ code: 'interrupted' });
        await runIn(store, datasets, 2);
        expect(await contentOf(store)).toEqual(await expected());
      });

      holds('repaired', async () => {
        const { store, datasets } = await ended();
        const { run } = await runIn(store, datasets);
        expect(await damagedArtefacts(store, family, run)).toEqual([]);
        const model = artefactNames.network(run.id, family.wantedName(wantedOf(datasets)));
        for (const name of oneOfEachFolder(Object.keys(await expected()), run)) {
          const bytes = await store.get(name);
          await store.delete(name);
          await store.put(name, new Uint8Array(9));
          const damaged = await damagedArtefacts(store, family, run);
          expect(damaged).toContain(name);
          for (const one of new Set([...damaged, model])) await store.delete(one);
          await runIn(store, datasets);
          // what the model does not need again may stay away
          const { [name]: lost } = await expected();
          expect({ [name]: lost, ...(await contentOf(store)) }).toEqual(await expected());
          if ((await store.head(name)) === null) await store.put(name, bytes);
        }
      });

      holds('replayed', async () => {
        const { store, datasets } = await begin();
        const { specification, choice } = family.resolve({ ...words }, datasets);
        const run = await createRun(store, specification);
        const compute = new LocalCompute(family.computations, { store, threads: 1, kernel: 'wasm' });
        const kinds = new Set<string>();
        const missing = async () => (await family.missing(store, run, [choice], { withReport: false })).tasks;
        for (let tasks = await missing(); tasks.length > 0; tasks = await missing()) {
          for (const { task, detail, isNew } of tasks) {
            const perform = () =>
              family.handlers[task.kind]!({ store, compute, isNew, withReport: false }, run, task, detail);
            if (kinds.has(task.kind)) {
              await perform();
              continue;
            }
            kinds.add(task.kind);
            const before = await contentOf(store);
            await perform();
            const after = await contentOf(store);
            for (const name of Object.keys(after)) if (!(name in before)) await store.delete(name);
            await perform();
            expect(await contentOf(store)).toEqual(after);
          }
        }
        await compute.close();
        expect(await contentOf(store)).toEqual(await expected());
      });

      holds('reported', async () => {
        const { store, datasets } = await ended();
        const { run, network } = await runIn(store, datasets);
        const wanted = wantedOf(datasets);
        const { tasks } = await family.missing(store, run, [wanted], { withReport: true });
        expect(tasks).toHaveLength(1);
        const { task, detail, isNew } = tasks[0]!;
        const compute = new LocalCompute(family.computations, { store, threads: 1, kernel: 'wasm' });
        await family.handlers[task.kind]!({ store, compute, isNew, withReport: true }, run, task, detail);
        await compute.close();
        const page = await store.get(artefactNames.report(run.id, family.wantedName(wanted)));
        expect(Buffer.from(page).toString()).toBe(await family.report(store, run, wanted));
        expect((await family.missing(store, run, [wanted], { withReport: true })).complete).toEqual([wanted]);
        const again = openModel(network, codecsOf([family])).toBytes();
        expect(Buffer.compare(again, network)).toBe(0);
      });

      // how few rows a table may have is the reader's to say
      if (options.rows === undefined)
        holds('few', async () => {
          for (const few of [['0', '1', '1'], ['0110']]) {
            const store = temporaryStore();
            const data = await registerDataset(store, BitMatrix.fromRows(few));
            const { model, run } = await runIn(store, { train: data, valid: data, test: null });
            expect(model.logLikelihood(BitMatrix.fromRows(few))[0]).toBeLessThan(0);
            expect(await family.report(store, run, wantedOf({ train: data, valid: data, test: null }))).toContain(
              '<html',
            );
          }
        });

      holds('rows', async () => {
        const { datasets } = await begin();
        const { train, valid } = datasets;
        const resolve = (others: Partial<RunDatasets>) => () =>
          family.resolve({ ...words }, { ...datasets, ...others });
        const badRequest = expect.objectContaining({ code: 'bad-request' }) as Error;
        expect(resolve({ valid: { ...valid, rows: 0 } })).toThrow(badRequest);
        expect(resolve({ valid: { ...valid, dimensions: train.dimensions + 1 } })).toThrow(badRequest);
        const { table = { variables: [] }, ...bits } = train;
        for (const facts of [bits as typeof train, { ...bits, table } as typeof train])
          if (!isLearnedBy(family, facts))
            expect(resolve({ train: facts, valid: facts, test: null })).toThrow(badRequest);
      });

      holds('words', async () => {
        const { store, datasets } = await begin();
        expect(family.words.safeParse({ ...words, unheardOf: 1 }).success).toBe(false);
        const { specification, runId } = family.resolve({ ...words }, datasets);
        expect(family.resolve({ ...words }, datasets).runId).toBe(runId);
        const run = await createRun(store, { ...specification, numericsVersion: specification.numericsVersion - 1 });
        await expect(runLocally({ store, family, specification: run.specification, choice: {} })).rejects.toMatchObject(
          {
            code: 'other-numerics',
          },
        );
      });

      const wantedOf = (datasets: RunDatasets) => family.resolve({ ...words }, datasets).choice;
    },
  );
}

/** No stage of a run that is done has more stored, or less, than its tasks. */
async function expectWholeGrid(
  store: ObjectStore,
  family: Family,
  { specification, choice }: ReturnType<Family['resolve']>,
): Promise<void> {
  const run = await createRun(store, specification);
  const entries = await entriesBelow(store, artefactNames.run(run.id));
  const plan = await family.missing(store, run, [choice], { withReport: false });
  const none = { attempts: new Map(), givenUp: new Set<string>(), held: new Map() };
  const { stages } = gridOf({ family, run, entries, plan, submittedAt: new Date().toISOString(), ...none });
  for (const { kind, total, states } of stages) expect(states, `tasks of ${kind}`).toBe('s'.repeat(total));
}

/** The last artefact of each folder of a run. */
function oneOfEachFolder(names: readonly string[], { id }: Run): readonly string[] {
  const folders = new Map<string, string>();
  for (const name of names) {
    const folder = /^[^/]+/.exec(name.slice(artefactNames.run(id).length))![0];
    if (name.startsWith(artefactNames.run(id)) && folder !== 'specification') folders.set(folder, name);
  }
  return [...folders.values()];
}

/** Takes so many artefacts, and then fails at everything: as a process that is killed leaves it. */
function dyingStore(store: ObjectStore, puts: number): ObjectStore {
  let left = puts;
  return watchedStore(store, (method) => {
    if (method === 'put') left--;
    if (left < 0) throw new Error('the store is gone');
  });
}

/** Aborts when the second artefact is stored. */
function signalOnPut(store: ObjectStore, stop: AbortController): ObjectStore {
  let puts = 0;
  return watchedStore(store, (method) => {
    if (method === 'put' && ++puts === 2) stop.abort();
  });
}

const someRowsOfBits: NonNullable<FamilyTestOptions['rows']> = () =>
  Promise.resolve([rowsOfBits(120, 1), rowsOfBits(60, 2), rowsOfBits(60, 3)]);

/** Rows of two kinds, copies of one column or another with some noise. */
function rowsOfBits(count: number, seed: number): BitMatrix {
  const stream = new RandomStream(seed, 1031);
  const matrix = BitMatrix.create(count, 6);
  for (let row = 0; row < count; row++) {
    const kinds = [stream.uniform() < 0.5, stream.uniform() < 0.3];
    for (let column = 0; column < 6; column++) matrix.set(row, column, stream.uniform() < 0.1 !== kinds[column % 2]!);
  }
  return matrix;
}
