import { BitMatrix } from '@orchard/dataset';
import { artefactNames, registerDataset } from '@orchard/pipeline';
import { temporaryStore } from '@orchard/storage/testing';
import { expect, test } from 'vitest';
import { StoreDatasets } from './datasets.js';
import { Marks } from './marks.js';

test('a data set whose stored facts are damaged is named in the listing, and hides no other', async () => {
  const store = temporaryStore();
  const good = await registerDataset(store, BitMatrix.fromRows(['01', '10']));
  const tooWide = 'a'.repeat(64);
  const noJson = 'b'.repeat(64);
  const facts = { id: tooWide, rows: 1, dimensions: 262_145, names: null, shape: null };
  await store.put(artefactNames.datasetFacts(tooWide), Buffer.from(JSON.stringify(facts)));
  await store.put(artefactNames.datasetFacts(noJson), Buffer.from('{'));
  const { datasets, unreadable, next } = await new StoreDatasets(store, new Marks(store)).list();
  expect(datasets).toEqual([good]);
  expect(unreadable).toEqual([tooWide, noJson]);
  expect(next).toBeNull();
});
