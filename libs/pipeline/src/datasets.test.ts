import { BitMatrix } from '@orchard/dataset';
import { describe, expect, test } from 'vitest';
import { artefactNames } from './artefact-names.js';
import { datasetFacts, loadDataset, registerDataset } from './datasets.js';
import { contentOf, dependentRows, temporaryStore } from './example.suite.js';

describe('a data set', () => {
  test('is registered once under its content hash and loads as it was', async () => {
    const { store } = await temporaryStore();
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
    const { store } = await temporaryStore();
    const matrix = BitMatrix.create(3, 70, { shared: true });
    matrix.set(1, 69, 1);
    expect((await loadDataset(store, (await registerDataset(store, matrix)).id)).get(1, 69)).toBe(1);
  });

  test('that was never registered is missing, one whose bits were damaged is refused', async () => {
    const { store } = await temporaryStore();
    await expect(loadDataset(store, 'e'.repeat(64))).rejects.toMatchObject({ code: 'missing-artefact' });
    await expect(datasetFacts(store, 'e'.repeat(64))).rejects.toMatchObject({ code: 'missing-artefact' });
    const matrix = dependentRows(20, 8, 1);
    const other = dependentRows(20, 8, 2);
    await store.put(artefactNames.dataset(matrix.contentHash()), new Uint8Array(other.buffer));
    await expect(loadDataset(store, matrix.contentHash())).rejects.toMatchObject({ code: 'damaged-artefact' });
    await store.put(artefactNames.dataset('d'.repeat(64)), Buffer.from('no matrix'));
    await expect(loadDataset(store, 'd'.repeat(64))).rejects.toMatchObject({ code: 'damaged-artefact' });
  });
});
