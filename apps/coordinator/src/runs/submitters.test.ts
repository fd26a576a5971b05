import type { FilesystemStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Submitters } from './submitters.js';

const run = 'a'.repeat(64);
let store: FilesystemStore;

beforeEach(async () => {
  store = await temporaryStore();
});
afterEach(() => {
  vi.useRealTimers();
});

async function submitterIn(submitters: Submitters): Promise<string | undefined> {
  return (await submitters.of([run])).get(run);
}

test('the first who submits a run is its submitter', async () => {
  const submitters = new Submitters(store);
  expect(await submitterIn(submitters)).toBeUndefined();
  await submitters.write(run, 'ann');
  await submitters.write(run, 'bob');
  expect(await submitterIn(submitters)).toBe('ann');
});

test('a run that is deleted and submitted again has its new submitter: at once where that was, elsewhere before long', async () => {
  const [here, elsewhere] = [new Submitters(store), new Submitters(store)];
  await here.write(run, 'ann');
  expect(await Promise.all([submitterIn(here), submitterIn(elsewhere)])).toEqual(['ann', 'ann']);
  await store.delete(`runs/${run}/submitted-by`);
  await here.write(run, 'bob');
  expect(await submitterIn(here)).toBe('bob');
  const later = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  expect(await submitterIn(elsewhere)).toBe('bob');
});
