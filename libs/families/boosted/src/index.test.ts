import { BitMatrix, readDataset } from '@orchard/dataset';
import type { ForestMixtureModel } from '@orchard/mixture';
import { artefactNames, registerDataset, runLocally } from '@orchard/pipeline';
import { FilesystemStore, listAll } from '@orchard/storage';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { boosted } from './index.js';
import { readRound } from './rounds.js';

async function inFolder<Result>(work: (store: FilesystemStore) => Promise<Result>): Promise<Result> {
  const place = await mkdtemp(join(tmpdir(), 'orchard-boosted-'));
  try {
    return await work(await FilesystemStore.open(place));
  } finally {
    await rm(place, { recursive: true });
  }
}

async function register(store: FilesystemStore, name: string) {
  const read = async (split: string) =>
    registerDataset(
      store,
      await readDataset(fileURLToPath(new URL(`../../../../test/data/${name}/${split}.data.gz`, import.meta.url))),
    );
  return { train: await read('train'), valid: await read('valid'), test: await read('test') };
}

async function roundsBelow(store: FilesystemStore, run: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of listAll(store, `${artefactNames.run(run)}rounds/`)) names.push(name);
  return names;
}

/** Mean test nats of the single tree, as independent code has them. */
test.each([
  ['dna', -87.8011, 6],
  ['mushrooms', -21.0224, 6],
] as const)('a whole run on %s is likelier than its weak learner alone, %d nats', async (name, alone, components) => {
  await inFolder(async (store) => {
    const request = boosted.resolve({ components }, await register(store, name));
    const { run, summary, model } = await runLocally({ store, family: boosted, ...request, threads: 1 });
    expect(summary.network.testLogLikelihood).toBeGreaterThan(alone + 0.2);
    const first = await readRound(store, run.id, 1);
    expect((model as ForestMixtureModel).mixture.components[0]!.rates).toEqual(first.forest.rates);
    expect(summary).toMatchObject({ family: 'boosted', rounds: { made: components } });
  });
});

describe('a run', () => {
  const words = { components: 5, refits: 1 };

  test('is the same bytes on one thread, on five, stopped on the way, and where a round got lost', async () => {
    const made: Uint8Array[] = [];
    for (const threads of [1, 5])
      await inFolder(async (store) => {
        const request = boosted.resolve(words, await register(store, 'dna'));
        const options = { store, family: boosted, ...request, threads };
        if (threads === 5) {
          const stop = new AbortController();
          const stopping = runLocally({
            ...options,
            signal: stop.signal,
            onProgress: ({ tasks, secondsLeft }) => {
              // how many rounds come nobody knows yet
              expect(secondsLeft).toBe(null);
              if (tasks.done >= 2) stop.abort();
            },
          });
          await expect(stopping).rejects.toMatchObject({ code: 'interrupted' });
        }
        const { network, model, run } = await runLocally(options);
        made.push(network);
        if (threads === 5) return;

        const names = await roundsBelow(store, run.id);
        expect(names).toHaveLength(5);
        expect(await boosted.damaged(store, run)).toEqual([]);
        const report = await boosted.report(store, run, {});
        expect(report).toContain('The rounds');
        expect(report.match(/<th scope="row">\d( \(kept up to here\))?<\/th><td>[\d.e-]+<\/td>/g)).toHaveLength(5);
        expect(report).toContain('Of 5 rounds');
        expect((model.specification as { rounds: object }).rounds).toMatchObject({ made: 5 });

        // a round that is lost is made again, and what comes after it is as it was
        const lost = names.find((name) => name.endsWith('/r3'))!;
        const bytes = await store.get(lost);
        await store.delete(lost);
        await store.put(lost, new Uint8Array(9));
        expect(await boosted.damaged(store, run)).toEqual([lost]);
        await store.delete(lost);
        await store.delete(artefactNames.network(run.id, 'model'));
        expect((await runLocally(options)).network).toEqual(network);
        expect(await store.get(lost)).toEqual(bytes);
      });
    expect(Buffer.compare(made[0]!, made[1]!)).toBe(0);
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object) => boosted.resolve({ ...said }, { train: facts, valid: facts, test: null });

  test('of more columns than can be counted in pairs is refused before anything is done', () => {
    const wide = { ...facts, dimensions: 16_385 };
    expect(() => boosted.resolve({}, { train: wide, valid: wide, test: null })).toThrow(
      expect.objectContaining({ code: 'bad-request', got: '16385 columns' }) as Error,
    );
  });

  test('of one column, or of one row, is made too', async () => {
    for (const rows of [['0', '1', '1'], ['0110']])
      await inFolder(async (store) => {
        const data = await registerDataset(store, BitMatrix.fromRows(rows));
        const request = boosted.resolve({}, { train: data, valid: data, test: null });
        const { model, run } = await runLocally({ store, family: boosted, ...request, threads: 1 });
        expect(model.likelihoods.valid).toBeLessThan(0);
        expect(await boosted.report(store, run, {})).toContain('kept up to here');
      });
  });

  test('says what is usual, and is another run where something else is said', () => {
    expect(resolve({}).specification).toMatchObject({ components: 100, waiting: 10 });
    expect(resolve({ components: 100 }).runId).toBe(resolve({}).runId);
    expect(resolve({ components: 99 }).runId).not.toBe(resolve({}).runId);
  });

  test.each([
    { components: 0 },
    { components: 1001 },
    { components: '4,5' },
    { waiting: 0 },
    { pseudoCount: 0 },
    { refits: 0.5 },
    { leaves: 3 },
  ])('refuses %o', (said) => {
    expect(boosted.words.safeParse(said).success).toBe(false);
  });

  test('refuses a table, and says which model takes it', () => {
    const table = { ...facts, table: { variables: [] }, tailNats: [] } as unknown as typeof facts;
    expect(() => boosted.resolve({}, { train: table, valid: table, test: null })).toThrow(/Use a model of tables/);
  });
});
