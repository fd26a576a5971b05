import type { BaseSpecification, RunSheet, Wanted } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import {
  artefactNames,
  documentBytes,
  familyOfOneTask,
  Families,
  Kept,
  keptDocuments,
  registerDataset,
  type Family,
  type RunDatasets,
} from '@orchard/pipeline';
import type { JobQueues } from '@orchard/queue';
import { StorageError, type ObjectStore } from '@orchard/storage';
import { temporaryStore, watchedStore } from '@orchard/storage/testing';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Attempts, defaultLimits } from './attempts.js';
import { StoreDatasets } from './datasets.js';
import { OwnExamination } from './examination.js';
import type { Decision } from './lifecycle.js';
import { Marks } from './marks.js';
import { reconcileRun, type TrackedRuns } from './reconcile-run.js';
import type { StoreReconciler } from './reconciler.js';
import { StoreRunLife } from './run-life.js';
import { RunSheets } from './run-sheets.js';
import type { RunPage } from './runs.js';
import { RunStatuses } from './run-statuses.js';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** One whose runs are never worked on: nothing of it but its name and its one task is asked for. */
const family = familyOfOneTask({
  name: 'coins',
  description: '',
  kind: 'throw',
  state: 'throwing',
  words: z.strictObject({}),
  specification: z.custom<BaseSpecification>(),
  codec: { family: 'coins', read: () => Promise.reject(new Error()) as never },
  module: new URL('data:text/javascript,'),
  computations: {},
  end: () => Promise.reject(new Error()) as never,
  specify: () => ({}),
});
/** One whose runs ask the model of another run. */
const asking: Family = {
  ...family,
  name: 'questions',
  askedRun: (one) => (one as { readonly asked?: string }).asked!,
};
const families = new Families([family], { answers: [asking] });
let files: ObjectStore;
/** Requests to the store, each a word and a name. */
let requests: string[];
let store: ObjectStore;
let marks: Marks;
let datasets: RunDatasets;
let specification: BaseSpecification;
let choice: Wanted;

beforeEach(async () => {
  files = temporaryStore();
  const [train, valid, other] = [['01', '10'], ['11'], ['00']];
  datasets = {
    train: await registerDataset(files, BitMatrix.fromRows(train!)),
    valid: await registerDataset(files, BitMatrix.fromRows(valid!)),
    test: await registerDataset(files, BitMatrix.fromRows(other!)),
  };
  ({ specification, choice } = family.resolve({}, datasets));
  requests = [];
  store = watchedStore(files, (method, [name]) => requests.push(`${method} ${String(name)}`));
  marks = new Marks(store);
});

function lifeOf(requestReconcile: StoreReconciler['requestReconcile'] = () => undefined): StoreRunLife {
  const seen = { tracked: () => null, outages: () => [], deletionOf: () => null };
  const reconciler = { requestReconcile, startOf: () => null, ...seen } as unknown as StoreReconciler;
  const attempts = new Attempts(store);
  const sheets = new RunSheets(store);
  return new StoreRunLife({
    ...{ store, families, marks, attempts, reconciler, sheets, log },
    queues: { requestStop: () => Promise.resolve() } as unknown as JobQueues,
    statuses: new RunStatuses({ store, families, marks, attempts, reconciler, sheets }),
    datasets: new StoreDatasets(store, marks),
    examination: new OwnExamination(store, families),
  });
}

test('a run that two delete at the same moment is deleted for both', async () => {
  const life = lifeOf();
  const { id } = await life.submit(specification, choice);
  await Promise.all([life.remove(id), life.remove(id)]);
  expect((await marks.of(id)).life?.standing).toBe('deleting');
});

test('what a submission has read of its data sets is not read again by the reconciliation that it asks for', async () => {
  const submitted = new Kept<RunDatasets>(keptDocuments);
  const { id } = await lifeOf((run, known) => known && submitted.set(run, known)).submit(specification, choice);
  expect(requests.filter((request) => request.endsWith('.facts'))).toHaveLength(3);
  requests.length = 0;
  const ports = {
    store,
    families,
    marks,
    attempts: new Attempts(store),
    sheets: new RunSheets(store),
    submitted,
    log,
    observer: {},
  };
  await reconcileRun({ ...ports, queues: {} as JobQueues }, new Map(), id, defaultLimits, []);
  expect(requests).toContain(`put runs/${id}/specification`);
  expect(requests.filter((request) => request.endsWith('.facts'))).toEqual([]);
});

test('a run whose submission died before it was named among the open ones is named by the next', async () => {
  const { id } = await lifeOf().submit(specification, choice);
  // the first look at a store names what an older release did not
  expect(await marks.open()).toEqual([id]);
  await files.delete(`open/${id}`);
  expect(await marks.open()).toEqual([]);
  expect((await lifeOf().submit(specification, choice)).created).toBe(false);
  expect(await marks.open()).toEqual([id]);
});

test('runs that are under way are found without reading those that have ended', async () => {
  const ids: string[] = [];
  const ends: (Decision | null)[] = [
    { kind: 'done' },
    { kind: 'cancel' },
    { kind: 'failed', reason: 'no memory' },
    null,
  ];
  for (const [seed, end] of ends.entries()) {
    const { id } = await lifeOf().submit({ ...specification, seed }, choice);
    ids.push(id);
    if (end === null) continue;
    await marks.append(id, 1, end);
    await marks.close(id);
  }
  const [done, cancelled, failed, open] = ids;
  await marks.open();
  marks = new Marks(store);
  requests.length = 0;
  expect((await lifeOf().list({ state: 'throwing' })).runs.map(({ id }) => id)).toEqual([open]);
  expect(requests.filter((request) => request.startsWith('get marks/'))).toEqual([`get marks/${open!}/000000`]);
  expect((await lifeOf().list({ state: 'throwing', after: open! })).runs).toEqual([]);
  for (const [state, id] of Object.entries({ done, cancelled, failed }))
    expect((await lifeOf().list({ state })).runs.map((run) => run.id)).toEqual([id]);
  expect((await lifeOf().list()).runs.map(({ id }) => id)).toEqual([...ids].sort());
});

test('runs are found by data, person, name and label, and listed by the time of their submission', async () => {
  const person = (name: string): RunSheet['submitter'] => ({ name, way: 'token' });
  const sheets: [RunSheet, number][] = [
    [{ submitter: person('ann'), name: 'Rentals.csv', labels: { project: 'bikes' }, priority: 'normal' }, 3],
    [{ submitter: person('bob'), name: 'visits.csv', labels: { project: 'shops', empty: '' }, priority: 'low' }, 1],
    [{ submitter: person('ann'), name: null, labels: {}, priority: 'normal' }, 2],
  ];
  vi.useFakeTimers({ toFake: ['Date'] });
  const ids: string[] = [];
  for (const [sheet, hour] of sheets) {
    vi.setSystemTime(Date.UTC(2026, 0, 1, hour));
    ids.push((await lifeOf().submit({ ...specification, seed: hour }, choice, undefined, sheet)).id);
  }
  vi.useRealTimers();
  const [late, early, middle] = ids;
  const found = async (page: RunPage): Promise<string[]> => (await lifeOf().list(page)).runs.map(({ id }) => id);
  expect(await found({ order: 'newest' })).toEqual([late, middle, early]);
  expect(await found({ order: 'newest', after: late!, limit: 1 })).toEqual([middle]);
  expect(await found({ person: 'ann', order: 'newest' })).toEqual([late, middle]);
  expect(await found({ name: 'rent' })).toEqual([late]);
  expect(await found({ label: 'project=shops' })).toEqual([early]);
  expect(await found({ label: 'empty' })).toEqual([early]);
  expect(await found({ label: 'constructor' })).toEqual([]);
  expect(await found({ dataset: datasets.valid.id })).toHaveLength(3);
  expect(await found({ dataset: 'f'.repeat(64) })).toEqual([]);
  // the first who submitted it says whose it is
  await lifeOf().submit({ ...specification, seed: 3 }, choice, undefined, sheets[1]![0]);
  expect(await found({ person: 'bob' })).toEqual([early]);
  // a page goes on behind a run that was deleted since the page before
  const { marks: known } = await marks.of(middle!);
  await marks.append(middle!, known, { kind: 'delete' });
  await marks.append(middle!, known + 1, { kind: 'removed' });
  expect(await found({ order: 'newest', after: middle! })).toEqual([early]);
  await marks.forget(middle!, await marks.record(middle!));
  await expect(found({ order: 'newest', after: middle! })).rejects.toMatchObject({ code: 'unknown-run' });
});

test('a run that its process has seen has a status while the store is away, which says so', async () => {
  const { id } = await lifeOf().submit(specification, choice);
  const attempts = new Attempts(store);
  const tracked: TrackedRuns = new Map();
  const submitted = new Kept<RunDatasets>(keptDocuments);
  const sheets = new RunSheets(store);
  const ports = { store, families, marks, attempts, sheets, submitted, log, observer: {}, queues: {} as JobQueues };
  await reconcileRun(ports, tracked, id, defaultLimits, []);
  const away = new StorageError('unavailable', { got: 'no answer', expected: 'one', remedy: 'Wait.' });
  vi.spyOn(marks, 'of').mockRejectedValue(away);
  const notice = { code: 'store-away', message: 'It is away.', since: '2026-01-01T00:00:00.000Z' };
  const reconciler = {
    tracked: (run: string) => tracked.get(run) ?? null,
    outages: () => [notice],
    deletionOf: () => null,
  };
  const statuses = new RunStatuses({ store, families, marks, attempts, reconciler, sheets });
  // of the last look, before the store went away: who knows whether there is one by now
  tracked.get(id)!.notices = [{ code: 'no-worker', message: 'No worker is there.', since: notice.since }];
  expect(await statuses.status(id)).toMatchObject({ state: 'throwing', waits: [notice] });
  await expect(statuses.status('f'.repeat(64))).rejects.toBe(away);
});

test('what the store does not answer about a run is an error, and no run without data sets', async () => {
  const { id } = await lifeOf().submit(specification, choice);
  const away = new StorageError('unavailable', { got: 'no answer', expected: 'one', remedy: 'Wait.' });
  const get = files.get.bind(files);
  vi.spyOn(files, 'get').mockImplementation((name) => (name.endsWith('.facts') ? Promise.reject(away) : get(name)));
  await expect(lifeOf().status(id)).rejects.toBe(away);
});

test('repair of a run that is done drops a specification that is not what was written', async () => {
  const { id } = await lifeOf().submit(specification, choice);
  const name = `runs/${id}/specification`;
  await files.put(name, Buffer.from('{"seed":7}'));
  await marks.append(id, 1, { kind: 'done' });
  await marks.close(id);
  expect(await lifeOf().repair(id)).toMatchObject({ dropped: [name], datasets: [] });
  expect(await files.head(name)).toBeNull();
  expect(await marks.open()).toEqual([id]);
  expect((await lifeOf().status(id)).state).toBe('throwing');
});

test('what a run that has ended stored is listed once until something is decided about it', async () => {
  const life = lifeOf();
  const { id } = await life.submit(specification, choice);
  await marks.append(id, 1, { kind: 'done' });
  await marks.close(id);
  const listings = (): number => requests.filter((request) => request === `list runs/${id}/`).length;
  requests.length = 0;
  const [status] = await Promise.all([life.status(id), life.status(id)]);
  expect(await life.status(id)).toEqual(status);
  expect(status.state).toBe('done');
  expect(listings()).toBe(1);
  await life.repair(id);
  await marks.append(id, 2, { kind: 'cancel' });
  requests.length = 0;
  await life.status(id);
  expect(listings()).toBe(1);
});

test('a run that is done says what its model is worth on validation rows, and does without where that is damaged', async () => {
  const life = lifeOf();
  const { id } = await life.submit(specification, choice);
  await marks.append(id, 1, { kind: 'done' });
  await marks.close(id);
  const name = artefactNames.summary(id, family.wantedName(choice));
  expect((await life.status(id)).logLikelihood).toBeNull();
  const rows = { train: 2, valid: 1, test: 1 };
  const network = { path: 'network.msgpack', sha256: id, bytes: 1, testLogLikelihood: null };
  const dataset = { sha256: specification.train, dimensions: 2, rows };
  await files.put(
    name,
    documentBytes({ runId: id, dataset, network, likelihoods: { train: -1, valid: -2, test: -3 } }),
  );
  expect((await life.status(id)).logLikelihood).toBe(-2);
  await files.delete(name);
  await files.put(name, Buffer.from('{"likelihoods":'));
  expect((await life.status(id)).logLikelihood).toBeNull();
});

test('a run whose model another asks is deleted when that one has ended', async () => {
  const life = lifeOf();
  const { id } = await life.submit(specification, choice);
  await marks.append(id, 1, { kind: 'done' });
  const question = { ...specification, family: 'questions', asked: id } as BaseSpecification;
  const { id: run } = await life.submit(question, {});
  await expect(life.remove(id)).rejects.toMatchObject({
    code: 'run-in-use',
    remedy: expect.stringContaining(run.slice(0, 12)) as string,
  });
  expect((await marks.of(id)).life?.standing).toBe('done');
  await life.cancel(run);
  await life.remove(id);
  expect((await marks.of(id)).life?.standing).toBe('deleting');
  // it is not there for others either, whatever their request saw a moment ago
  const later = life.submit({ ...question, seed: 2 } as BaseSpecification, {});
  await expect(later).rejects.toMatchObject({ code: 'deleting' });
  // a worker may hold the model still: it would answer for minutes, and what it says could not be read
  await expect(life.resume(run)).rejects.toMatchObject({ code: 'deleting' });
  await marks.append(id, 3, { kind: 'removed' });
  await expect(life.resume(run)).rejects.toMatchObject({
    code: 'unknown-run',
    got: expect.stringContaining(id) as string,
  });
  expect((await marks.of(run)).life?.standing).toBe('cancelled');
});

test('repair of a run that failed by a data set says so and leaves it, until the rows are uploaded again', async () => {
  const life = lifeOf();
  const { id } = await life.submit(specification, choice);
  const name = artefactNames.dataset(specification.train);
  const bits = await files.get(name);
  await files.delete(name);
  await files.put(
    name,
    bits.map((byte, at) => (at === bits.length - 1 ? byte ^ 128 : byte)),
  );
  await marks.append(id, 1, { kind: 'failed', reason: `${name} is damaged`, damaged: [name] });
  expect(await life.repair(id)).toMatchObject({ dropped: [], datasets: [name] });
  expect((await marks.of(id)).life?.standing).toBe('failed');
  await registerDataset(files, BitMatrix.fromRows(['01', '10']));
  expect(await life.repair(id)).toMatchObject({ dropped: [], datasets: [] });
  expect((await marks.of(id)).life?.standing).toBe('open');
});

test('repair of a run that is done and of which the store has lost something has it made anew', async () => {
  const life = lifeOf();
  const { id } = await life.submit(specification, choice);
  await marks.append(id, 1, { kind: 'done' });
  expect(await life.repair(id)).toEqual({ dropped: [], lost: 1, datasets: [] });
  expect((await marks.of(id)).life?.standing).toBe('open');
});
