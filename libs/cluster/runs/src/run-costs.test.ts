import { temporaryStore } from '@orchard/storage/testing';
import { expect, test } from 'vitest';
import { RunCosts } from './run-costs.js';

const run = 'a'.repeat(64);

test('a run costs what was spent until each of its ends; of two who end it the first says so', async () => {
  const store = temporaryStore();
  const costs = new RunCosts(store);
  expect(await costs.of(run)).toBeNull();
  await costs.write(run, 2, { threadSeconds: 10, isWhole: true });
  await costs.write(run, 2, { threadSeconds: 9.5, isWhole: true });
  expect(await costs.of(run)).toEqual({ threadSeconds: 10, isWhole: true });
  await costs.write(run, 4, { threadSeconds: 1.5, isWhole: false });
  expect(await new RunCosts(store).of(run)).toEqual({ threadSeconds: 11.5, isWhole: false });
});

test('what is damaged is left out, and the rest is no whole', async () => {
  const store = temporaryStore();
  await new RunCosts(store).write(run, 2, { threadSeconds: 10, isWhole: true });
  await store.put(`runs/${run}/cost/000004`, Buffer.from('{"threadSeconds":'));
  expect(await new RunCosts(store).of(run)).toEqual({ threadSeconds: 10, isWhole: false });
});
