import type { Task } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Attempts, damagedBy, defaultLimits, failsAlike, failureOf, isFinal, type GivenUp } from './attempts.js';

const run = 'c'.repeat(64);
const task: Task = { run, kind: 'train', key: '5' };
let store: ObjectStore;
let attempts: Attempts;

beforeEach(async () => {
  store = temporaryStore();
  attempts = new Attempts(store);
});
afterEach(() => {
  vi.useRealTimers();
});

const freshly = async (): Promise<readonly string[]> => (await attempts.giveUp(run, 0, defaultLimits)).fresh;

function coded(code: string, where?: string): Error {
  return Object.assign(new Error(`it was ${code}`), { code, where });
}

test('a task is given up after three failures, whose last is its reason, and counts anew in the next epoch', async () => {
  for (const luck of ['bad', 'worse']) await attempts.record(task, 0, failureOf(new Error(luck)));
  expect(await freshly()).toEqual([]);
  await attempts.record(task, 0, failureOf(Object.assign(new Error('worst'), { code: 'no-luck' })));
  const { fresh, failures } = await attempts.giveUp(run, 0, defaultLimits);
  expect(fresh).toEqual(['train/5']);
  expect(failures.givenUp.get('train/5')).toMatchObject({ attempts: 3, code: 'no-luck', reason: 'worst' });
  expect((await new Attempts(store).giveUp(run, 0, defaultLimits)).fresh).toEqual([]);
  expect((await new Attempts(store).of(run, 0)).givenUp).toEqual(failures.givenUp);
  expect((await attempts.of(run, 1)).givenUp.size).toBe(0);
});

test('the same failure twice counts twice, the same loss once', async () => {
  const error = new Error('always the same');
  await Promise.all([1, 2].map(() => attempts.record(task, 0, failureOf(error))));
  await Promise.all(['a', 'b'].map((worker) => attempts.recordLoss(task, 0, '1700000000000-1', worker)));
  await attempts.recordLoss(task, 0, '1700000000000-2', 'a');
  const kinds = (await attempts.of(run, 0)).attempts.get('train/5')!.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['failed', 'failed', 'lost', 'lost']);
});

test('workers that vanish count for less, and other bytes at once', async () => {
  for (let loss = 1; loss < defaultLimits.lost; loss++) await attempts.recordLoss(task, 0, `9-${loss}`, `w-${loss}`);
  expect(await freshly()).toEqual([]);
  await attempts.recordLoss(task, 0, '9-99', 'w');
  expect(await freshly()).toEqual(['train/5']);
  await attempts.record({ ...task, key: '6' }, 0, failureOf(coded('conflict')));
  const { fresh, failures } = await attempts.giveUp(run, 0, defaultLimits);
  expect(fresh).toEqual(['train/6']);
  expect(isFinal(failures.givenUp.get('train/6')!)).toBe(true);
  expect(isFinal(failures.givenUp.get('train/5')!)).toBe(false);
});

test('losses count since the newest checkpoint: a task that gets on is never given up for them', async () => {
  const lose = (from: number, count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, (_, loss) => attempts.recordLoss(task, 0, `${from}-${loss}`, `w-${loss % 2}`)),
    );
  for (const round of [100, 200, 300, 1000]) {
    await lose(round, defaultLimits.lost - 1);
    expect(await freshly()).toEqual([]);
    await store.put(`runs/${run}/checkpoints/5/${round}`, new Uint8Array(1));
  }
  // another dimension's checkpoint is no progress of this one
  await store.put(`runs/${run}/checkpoints/55/9999`, new Uint8Array(1));
  await lose(2000, defaultLimits.lost);
  const { fresh, failures } = await attempts.giveUp(run, 0, defaultLimits);
  expect(fresh).toEqual(['train/5']);
  expect(failures.givenUp.get('train/5')).toMatchObject({
    kind: 'lost',
    code: 'worker-lost',
    attempts: 5 * defaultLimits.lost - 4,
  });
});

test('one worker that dies again and again takes no task with it; with another it does, and alone after twice as many', async () => {
  const lose = async (worker: string, count: number, of = task): Promise<void> => {
    for (let loss = 0; loss < count; loss++) await attempts.recordLoss(of, 0, `${worker}-${loss}`, worker);
  };
  await lose('sick', 2 * defaultLimits.lost - 1);
  expect(await freshly()).toEqual([]);
  await lose('well', 1);
  expect(await freshly()).toEqual(['train/5']);
  const other: Task = { ...task, key: '6' };
  await lose('sick', (3 * defaultLimits.lost) / 4, other);
  await lose('well', defaultLimits.lost / 2 - 1, other);
  expect(await freshly()).toEqual([]);
  await attempts.recordLoss(other, 0, 'well-last', 'well');
  expect(await freshly()).toEqual(['train/6']);
});

test('what one worker alone fails at is not given up while another is there that has not tried', async () => {
  const fail = (worker: string, of: Task = task): Promise<void> =>
    attempts.record(of, 0, failureOf(new Error('its disk'), worker));
  const given = async (...there: string[]): Promise<readonly string[]> =>
    (await attempts.giveUp(run, 0, defaultLimits, store, () => there)).fresh;
  for (let attempt = 0; attempt < 9; attempt++) await fail('sick');
  expect(await given('sick', 'well')).toEqual([]);
  await fail('well');
  expect(await given('sick', 'well')).toEqual(['train/5']);
  const other: Task = { ...task, key: '6' };
  for (let attempt = 0; attempt < 3; attempt++) await fail('sick', other);
  expect(await given('sick')).toEqual(['train/6']);
});

test('what one worker alone calls damaged is looked at by another, where there is one', async () => {
  const damage = (worker: string): Promise<void> =>
    attempts.record(task, 0, failureOf(coded('damaged', 'datasets/a'), worker));
  const given = async (): Promise<readonly string[]> =>
    (await attempts.giveUp(run, 0, defaultLimits, store, () => ['sick', 'well'])).fresh;
  await damage('sick');
  await damage('sick');
  expect(await given()).toEqual([]);
  await damage('well');
  expect(await given()).toEqual(['train/5']);
});

test('a loss says who had the task, and its newest checkpoint', async () => {
  for (const round of [9, 100]) await store.put(`runs/${run}/checkpoints/5/${round}`, new Uint8Array(1));
  await attempts.recordLoss(task, 0, '9-1', 'host-7');
  expect((await attempts.of(run, 0)).attempts.get('train/5')).toMatchObject([
    { kind: 'lost', checkpoint: 100, worker: 'host-7' },
  ]);
});

test.each(['damaged-artefact', 'damaged'])(
  'what is %s is looked at twice, and then final, with its name',
  async (code) => {
    const name = `runs/${run}/conditionals/3`;
    await attempts.record(task, 0, failureOf(coded(code, name)));
    expect(await freshly()).toEqual([]);
    await attempts.record(task, 0, failureOf(coded(code, name)));
    const { fresh, failures } = await attempts.giveUp(run, 0, defaultLimits);
    expect(fresh).toEqual(['train/5']);
    const given = failures.givenUp.get('train/5')!;
    expect(given).toMatchObject({ code, damaged: name, attempts: 2 });
    expect(isFinal(given)).toBe(true);
  },
);

test('damage in between other failures makes none of those final', async () => {
  await attempts.record(task, 0, failureOf(coded('damaged', 'datasets/a')));
  await attempts.record(task, 0, failureOf(coded('training-failed')));
  expect(await freshly()).toEqual([]);
});

test('only damage names an object as damaged', () => {
  expect(damagedBy(coded('damaged-artefact', 'datasets/a'))).toBe('datasets/a');
  expect(damagedBy(coded('damaged', 'datasets/a'))).toBe('datasets/a');
  expect(damagedBy(coded('conflict', 'datasets/a'))).toBeNull();
  expect(damagedBy(coded('damaged'))).toBeNull();
  expect(damagedBy(null)).toBeNull();
});

test('whatever was thrown is kept with its code, its place and its cause, cut where it is long', () => {
  const cause = new Error('below');
  const error = Object.assign(new Error('x'.repeat(5_000), { cause }), { code: 'no-luck' });
  error.stack = 'at some place';
  expect(failureOf(error)).toMatchObject({ kind: 'failed', code: 'no-luck', damaged: null });
  expect(failureOf(error).reason).toHaveLength(2_000);
  expect(failureOf(error).stack).toContain('at some place\ncaused by Error: below');
  expect(failureOf('a word')).toMatchObject({ code: 'unexpected', reason: 'a word', stack: null });
});

test('attempts of a bucket that was emptied and filled anew are read again after half a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await attempts.record(task, 0, failureOf(new Error('earlier')));
  expect((await attempts.of(run, 0)).attempts.get('train/5')).toMatchObject([{ reason: 'earlier' }]);
  for (const { name } of await store.list('')) await store.delete(name);
  await new Attempts(store).record(task, 0, failureOf(new Error('later')));
  vi.advanceTimersByTime(31_000);
  expect((await attempts.of(run, 0)).attempts.get('train/5')).toMatchObject([{ reason: 'later' }]);
});

test('failures are read many at once, and each but once, however often a run is looked at', async () => {
  for (let key = 0; key < 40; key++)
    await attempts.record({ ...task, key: String(key) }, 0, failureOf(new Error(`failure ${key}`)));
  const get = store.get.bind(store);
  let [reads, underWay, most] = [0, 0, 0];
  vi.spyOn(store, 'get').mockImplementation(async (name) => {
    reads += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    const bytes = await get(name);
    underWay -= 1;
    return bytes;
  });
  expect((await attempts.of(run, 0)).attempts.get('train/39')).toMatchObject([{ reason: 'failure 39' }]);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 3_600_000);
  await attempts.of(run, 0);
  expect(reads).toBe(40);
  expect(most).toBeGreaterThan(1);
});

test('two dozen tasks that fail for one reason while none succeeds speak for all', () => {
  const failing = (count: number, reasonOf: (at: number) => string): Map<string, GivenUp> =>
    new Map(
      Array.from({ length: count }, (_, at) => {
        const parts = { kind: 'failed', code: 'bad-data', stack: null, damaged: null, attempts: 3 } as const;
        return [`train/${at}`, { ...parts, reason: reasonOf(at) }];
      }),
    );
  const alike = failing(24, (at) => `column ${at} of ${'a1'.repeat(32)} has no values`);
  expect(failsAlike('train', 0, alike)?.reason).toMatch(/^column 0 /);
  expect(failsAlike('train', 1, alike)).toBeNull();
  expect(failsAlike('refit', 0, alike)).toBeNull();
  expect(
    failsAlike(
      'train',
      0,
      failing(23, () => 'no memory'),
    ),
  ).toBeNull();
  expect(
    failsAlike(
      'train',
      0,
      failing(24, (at) => (at === 7 ? 'no memory' : 'no values')),
    ),
  ).toBeNull();
});
