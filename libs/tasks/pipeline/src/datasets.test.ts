import { BitMatrix } from '@orchard/dataset';
import { StorageError, type ObjectStore } from '@orchard/storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { artefactNames } from './artefact-names.js';
import { datasetFacts, loadDataset, registerDataset, removeUnregistered } from './datasets.js';
import { contentOf, temporaryStore } from '@orchard/storage/testing';

function someRows(seed: number): BitMatrix {
  return BitMatrix.fromRows(
    Array.from({ length: 20 }, (_, row) => ((row * 37 * seed + seed) % 256).toString(2).padStart(8, '0')),
  );
}

/** A store of which every request waits for its turn, and is then answered at once. */
function objectsIn(objects: Map<string, Uint8Array<ArrayBuffer>>, turn: () => Promise<void>): ObjectStore {
  return {
    put: async (name, bytes) => {
      await turn();
      if (objects.has(name)) return 'exists';
      objects.set(name, Uint8Array.from(bytes));
      return 'created';
    },
    get: async (name) => {
      await turn();
      const found = objects.get(name);
      if (found !== undefined) return found;
      throw new StorageError('missing', { got: 'nothing', expected: name, remedy: 'Store it.' });
    },
    head: async (name) => {
      await turn();
      const found = objects.get(name);
      return found === undefined ? null : { name, size: found.length, storedAt: 0 };
    },
    list: () => Promise.reject(new Error('nobody lists here')),
    delete: async (name) => {
      await turn();
      objects.delete(name);
    },
  };
}

describe('a data set', () => {
  test('that was damaged is healed by the same rows, also where the store says by a checksum that they are there', async () => {
    const objects = new Map<string, Uint8Array<ArrayBuffer>>();
    // its put compares nothing
    const store = objectsIn(objects, () => Promise.resolve());
    const { id } = await registerDataset(store, someRows(1));
    for (const name of [artefactNames.dataset(id), artefactNames.datasetFacts(id)]) {
      const bytes = objects.get(name)!;
      bytes[bytes.length - 3]! ^= 255;
    }
    await expect(loadDataset(store, id)).rejects.toThrow();
    expect(await registerDataset(store, someRows(1))).toMatchObject({ id });
    expect((await loadDataset(store, id)).equals(someRows(1))).toBe(true);
    expect(await datasetFacts(store, id)).toMatchObject({ id });
  });

  test('is registered once under its content hash and loads as it was', async () => {
    const store = temporaryStore();
    const matrix = BitMatrix.fromRows(['0110', '1001'], { names: ['a', 'b', 'c', 'd'], shape: [2, 2] });
    const facts = await registerDataset(store, matrix);
    expect(facts).toEqual({
      id: matrix.contentHash(),
      rows: 2,
      dimensions: 4,
      names: ['a', 'b', 'c', 'd'],
      shape: [2, 2],
    });
    const before = await contentOf(store);
    expect(await registerDataset(store, BitMatrix.from(matrix.buffer))).toEqual(facts);
    expect(await contentOf(store)).toEqual(before);
    expect(await datasetFacts(store, facts.id)).toEqual(facts);
    expect((await loadDataset(store, facts.id)).equals(matrix)).toBe(true);
  });

  test('may lie in shared memory', async () => {
    const store = temporaryStore();
    const matrix = BitMatrix.create(3, 70, { shared: true });
    matrix.set(1, 69, 1);
    expect((await loadDataset(store, (await registerDataset(store, matrix)).id)).get(1, 69)).toBe(1);
  });

  test('that was never registered is missing, one whose bits were damaged is refused', async () => {
    const store = temporaryStore();
    await expect(loadDataset(store, 'e'.repeat(64))).rejects.toMatchObject({ code: 'missing-artefact' });
    await expect(datasetFacts(store, 'e'.repeat(64))).rejects.toMatchObject({ code: 'missing-artefact' });
    const matrix = someRows(1);
    const other = someRows(2);
    await store.put(artefactNames.dataset(matrix.contentHash()), new Uint8Array(other.buffer));
    await expect(loadDataset(store, matrix.contentHash())).rejects.toMatchObject({ code: 'damaged-artefact' });
    await store.put(artefactNames.dataset('d'.repeat(64)), Buffer.from('no matrix'));
    await expect(loadDataset(store, 'd'.repeat(64))).rejects.toMatchObject({ code: 'damaged-artefact' });
  });

  test('is registered with its bits, in whatever order the steps of those come who remove what is not registered', async () => {
    const matrix = someRows(1);
    const id = matrix.contentHash();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isCutOff) => {
        const objects = new Map<string, Uint8Array<ArrayBuffer>>();
        const stepped = objectsIn(objects, () => scheduler.schedule(Promise.resolve()));
        const store = objectsIn(objects, () => Promise.resolve());
        if (isCutOff) await store.put(artefactNames.dataset(id), new Uint8Array(matrix.buffer));
        await scheduler.waitFor(
          Promise.all([
            registerDataset(stepped, matrix),
            registerDataset(stepped, matrix),
            removeUnregistered(stepped, id),
            removeUnregistered(stepped, id),
          ]),
        );
        expect((await loadDataset(store, id)).equals(matrix)).toBe(true);
        expect(await datasetFacts(store, id)).toMatchObject({ id });
      }),
      { numRuns: 500 },
    );
  });

  test('whose stored bits or facts were damaged is healed by registering it again', async () => {
    const store = temporaryStore();
    const matrix = someRows(1);
    const facts = await registerDataset(store, matrix);
    const intact = await contentOf(store);
    for (const name of Object.keys(intact)) {
      await store.delete(name);
      await store.put(name, Buffer.from('other bytes'));
      expect(await registerDataset(store, matrix)).toEqual(facts);
      expect(await contentOf(store)).toEqual(intact);
    }
  });

  test('whose bits were lost has them again when it is registered again', async () => {
    const store = temporaryStore();
    const matrix = someRows(1);
    const { id } = await registerDataset(store, matrix);
    await store.delete(artefactNames.dataset(id));
    await registerDataset(store, matrix);
    expect((await loadDataset(store, id)).equals(matrix)).toBe(true);
  });
});
