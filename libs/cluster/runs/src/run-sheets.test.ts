import type { RunSheet } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunSheets } from './run-sheets.js';

const run = 'a'.repeat(64);
let store: ObjectStore;

beforeEach(() => {
  store = temporaryStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const sheetOf = (name: string): RunSheet => ({
  submitter: { name, way: 'token' },
  name: `${name}.csv`,
  labels: { of: name },
  priority: 'normal',
});

test('the first who submits a run says whose it is and what it is called', async () => {
  const sheets = new RunSheets(store);
  expect(await sheets.of(run)).toBeNull();
  await sheets.write(run, sheetOf('ann'));
  await sheets.write(run, sheetOf('bob'));
  expect(await sheets.of(run)).toEqual(sheetOf('ann'));
});

test('a run that is deleted and submitted again has its new submitter: at once where that was, elsewhere before long', async () => {
  const [here, elsewhere] = [new RunSheets(store), new RunSheets(store)];
  await here.write(run, sheetOf('ann'));
  expect(await Promise.all([here.of(run), elsewhere.of(run)])).toEqual([sheetOf('ann'), sheetOf('ann')]);
  await store.delete(`runs/${run}/sheet`);
  await here.write(run, sheetOf('bob'));
  expect(await here.of(run)).toEqual(sheetOf('bob'));
  const later = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  expect(await elsewhere.of(run)).toEqual(sheetOf('bob'));
});

test('a run of a release that wrote the submitter alone has that name, and one with a damaged sheet has none', async () => {
  const sheets = new RunSheets(store);
  await store.put(`runs/${run}/submitted-by`, Buffer.from('ann'));
  expect(await sheets.of(run)).toMatchObject({ submitter: { name: 'ann', way: 'unknown' }, name: null });
  const other = 'b'.repeat(64);
  await store.put(`runs/${other}/sheet`, Buffer.from('{"name":'));
  expect([...(await sheets.ofAll([run, other])).keys()]).toEqual([run]);
});
