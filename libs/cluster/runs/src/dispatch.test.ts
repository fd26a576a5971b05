import type { JobQueues } from '@orchard/queue';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { priorities, type Job, type Priority, type RunSheet } from '@orchard/contracts';
import type { Family, PlannedTask, Run } from '@orchard/pipeline';
import { noFailures } from './attempts.js';
import { Dispatch } from './dispatch.js';
import type { Life } from './lifecycle.js';
import { TrackedRun } from './tracked-run.js';

describe('dispatching', () => {
  let fills: number;
  let dispatch: Dispatch;
  beforeEach(() => {
    vi.useFakeTimers();
    fills = 0;
    const queues = { add: () => Promise.resolve(void fills++) } as unknown as JobQueues;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    dispatch = new Dispatch({ queues, log, observer: {} }, new Map(), 64, 5000);
  });
  afterEach(() => vi.useRealTimers());

  test('a burst of completions fills the queue once', async () => {
    dispatch.start();
    for (let completion = 0; completion < 100; completion++) dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(1);
    dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(2);
  });

  test('stopped while one is due it fills no more, and started again it does', async () => {
    dispatch.start();
    dispatch.soon();
    dispatch.stop();
    dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(0);
    dispatch.start();
    dispatch.soon();
    await vi.advanceTimersByTimeAsync(100);
    expect(fills).toBe(1);
  });
});

describe('whose job is next', () => {
  const kinds = [
    { kind: 'train', pool: 'worker', state: 'training', folder: 'conditionals', counted: 'dimensions' },
    { kind: 'assemble', pool: 'selector', state: 'assembling', folder: 'networks', counted: 'networks' },
  ] as const;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const stored = {
    ...({ outcome: 'stored', reason: null, waitMilliseconds: 0, seconds: 1 } as const),
    progress: { share: 1, trees: 1, nats: null },
  } as const;

  function sheetOf(name: string, priority: Priority = 'normal'): RunSheet {
    return { submitter: { name, way: 'token' }, name: null, labels: {}, priority };
  }

  function runOf(number: number, sheet: RunSheet, kind: string, tasks: number, rows = 10): TrackedRun {
    const id = number.toString(16).padStart(64, '0');
    const facts = { id, rows, dimensions: 4, names: null, shape: null };
    const run: Run = {
      ...{ id, family: 'lbarn', specification: { numericsVersion: 1 } as Run['specification'] },
      datasets: { train: facts, valid: facts, test: null },
    };
    const life = {} as Life;
    const tracked = new TrackedRun({ name: 'lbarn', kinds } as unknown as Family, run, life, sheet);
    const planned = Array.from({ length: tasks }, (_, key): PlannedTask => {
      return { task: { run: id, kind, key: `x${String(key)}` }, cost: 1, detail: {}, isNew: true };
    });
    const stages = { train: null, assemble: null };
    tracked.endLook(life, { tasks: planned, stages, complete: [] }, noFailures);
    return tracked;
  }

  /** A queue that is first in, first out, and so many who take from it. */
  async function order(
    runs: readonly TrackedRun[],
    threads: { workers: number; selectors: number; shortPlaces?: number },
    most: number,
  ) {
    const queued = { worker: [] as Job[], selector: [] as Job[], short: [] as Job[] };
    const queues = {
      add: (added: readonly { job: Job; pool: 'worker' | 'selector'; lane: 'short' | null }[]) =>
        Promise.resolve(added.forEach(({ job, pool, lane }) => queued[lane ?? pool].push(job))),
    } as unknown as JobQueues;
    const byId = new Map(runs.map((run) => [run.run.id, run]));
    const dispatch = new Dispatch({ queues, log, observer: {} }, byId, 64, 5000);
    Object.assign(dispatch, threads, { threads: Math.max(1, threads.workers) });
    const taken: { readonly run: string; readonly pool: string; readonly at: number }[] = [];
    for (let at = 0; taken.length < most; at++) {
      await dispatch.now();
      const now = [
        ...queued.worker.splice(0, threads.workers).map((job) => ({ job, pool: 'worker' })),
        ...queued.selector.splice(0, threads.selectors).map((job) => ({ job, pool: 'selector' })),
        ...queued.short.splice(0, threads.shortPlaces ?? 0).map((job) => ({ job, pool: 'short' })),
      ];
      if (now.length === 0) break;
      for (const { job, pool } of now) {
        const { run, kind, key } = job.task;
        taken.push({ run, pool, at });
        const tracked = byId.get(run)!;
        const seconds = tracked.size > 1e6 ? 10 : 1;
        tracked.record({ kind: 'completed', id: `${kind}-${run}-${key}`, result: { ...stored, seconds } });
      }
    }
    return taken;
  }

  test('the first tasks of small runs go before those of a large one of another, whose tasks are known to be long', async () => {
    const large = runOf(1, sheetOf('ann'), 'train', 1_000, 100_000);
    await order([large], { workers: 2, selectors: 1 }, 20);
    const small = Array.from({ length: 20 }, (_, at) => runOf(10 + at, sheetOf('bob'), 'train', 2, 10));
    const taken = await order([large, ...small], { workers: 2, selectors: 1 }, 40);
    const firsts = taken.slice(0, 26).filter(({ run }) => run !== large.run.id);
    expect(new Set(firsts.map(({ run }) => run)).size).toBe(20);
  });

  describe('beside a run of long tasks, where workers have places for short ones', () => {
    const places = { workers: 2, selectors: 1, shortPlaces: 1 };
    const large = (): TrackedRun => runOf(1, sheetOf('ann'), 'train', 1_000, 1_000_000);
    const smallOnes = (count: number, kind = 'train'): TrackedRun[] =>
      Array.from({ length: count }, (_, at) => runOf(10 + at, sheetOf('bob'), kind, 2, 10));
    const poolsOf = (taken: readonly { run: string; pool: string }[], runs: readonly TrackedRun[]): Set<string> =>
      new Set(taken.filter(({ run }) => runs.some((one) => one.run.id === run)).map(({ pool }) => pool));

    test('short tasks go there alone, first ones of all runs first, and long ones never', async () => {
      const [long, short] = [large(), smallOnes(20)];
      const taken = await order([long, ...short], places, 140);
      expect(poolsOf(taken, short)).toEqual(new Set(['short']));
      expect(poolsOf(taken, [long])).toEqual(new Set(['worker']));
      const own = taken.filter(({ pool }) => pool === 'short');
      expect(new Set(own.slice(0, 20).map(({ run }) => run)).size).toBe(20);
      expect(own.at(-1)!.at).toBe(39);
    });

    test('what turns out to be long leaves them', () => {
      const wrong = runOf(2, sheetOf('bob'), 'train', 100, 10);
      expect(wrong.isShort).toBe(true);
      const id = `train-${wrong.run.id}-x0`;
      wrong.record({ kind: 'completed', id, result: { ...stored, seconds: 5 } });
      expect(wrong.isShort).toBe(false);
    });

    test('where all are short, or no worker has places, all go to the threads', async () => {
      const short = smallOnes(20);
      expect(poolsOf(await order(short, places, 40), short)).toEqual(new Set(['worker']));
      const [long, others] = [large(), smallOnes(3)];
      const none = { ...places, shortPlaces: 0 };
      expect(poolsOf(await order([long, ...others], none, 60), others)).toEqual(new Set(['worker']));
    });

    test('small assemblies go there while a selector has a large one', async () => {
      const [long, short] = [runOf(1, sheetOf('ann'), 'assemble', 3, 1_000_000), smallOnes(2, 'assemble')];
      long.handOut({ task: { run: long.run.id, kind: 'assemble', key: 'x2' } } as Job, {
        pool: 'selector',
        lane: null,
      });
      const taken = await order([long, ...short], places, 6);
      expect(poolsOf(taken, short)).toEqual(new Set(['short']));
    });
  });

  test('of long tasks few are in the queue, so that who comes next waits for few', async () => {
    const large = runOf(1, sheetOf('ann'), 'train', 1_000);
    // they take a second each, as the first of them show
    await order([large], { workers: 2, selectors: 1 }, 20);
    expect(large.held(1, 'worker')).toBeGreaterThan(0);
    expect(large.held(1, 'worker')).toBeLessThanOrEqual(8);
  });

  test('300 runs of one person have one share: a run of another gets every second thread at once', async () => {
    const many = Array.from({ length: 300 }, (_, at) => runOf(at, sheetOf('ann'), 'train', 20));
    const one = runOf(999, sheetOf('bob'), 'train', 40);
    const taken = await order([...many, one], { workers: 4, selectors: 1 }, 100);
    expect(taken.slice(0, 80).filter(({ run }) => run === one.run.id)).toHaveLength(40);
  });

  test('sixty small runs beside a large one of another: half of them have ended before it has a tenth', async () => {
    const large = runOf(1, sheetOf('bob'), 'train', 10_000);
    const small = Array.from({ length: 60 }, (_, at) => runOf(2 + at, sheetOf('ann'), 'train', 2));
    const taken = await order([large, ...small], { workers: 4, selectors: 1 }, 400);
    const ends = small.map(({ run }) => taken.filter((one) => one.run === run.id).at(-1)!.at).sort((a, b) => a - b);
    // of 4 threads 2 are for them: 120 tasks are 60 steps
    expect(ends[30]).toBeLessThanOrEqual(60);
    expect(taken.filter(({ run, at }) => run === large.run.id && at <= ends[30]!).length).toBeLessThan(200);
  });

  test('an assembly waits for two others of a selector, however many another person has', async () => {
    const many = Array.from({ length: 60 }, (_, at) => runOf(at, sheetOf('ann'), 'assemble', 1));
    const one = runOf(999, sheetOf('bob'), 'assemble', 1);
    const taken = await order([...many, one], { workers: 0, selectors: 1 }, 61);
    expect(taken.findIndex(({ run }) => run === one.run.id)).toBeLessThanOrEqual(2);
    expect(new Set(taken.map(({ run }) => run)).size).toBe(61);
  });

  test('of one person the small assemblies go first', async () => {
    const rows = [9_000, 10, 5_000];
    const runs = rows.map((some, at) => runOf(at, sheetOf('ann'), 'assemble', 1, some));
    const taken = await order(runs, { workers: 0, selectors: 1 }, 3);
    expect(taken.map(({ run }) => rows[Number(`0x${run}`)])).toEqual([10, 5_000, 9_000]);
  });

  test('workers assemble what selectors have no place for while they have nothing to do, and only then', async () => {
    const ends = Array.from({ length: 20 }, (_, at) => runOf(at, sheetOf('ann'), 'assemble', 1));
    const idle = await order(ends, { workers: 4, selectors: 1 }, 20);
    expect(idle.at(-1)!.at).toBeLessThanOrEqual(4);
    const alone = Array.from({ length: 3 }, (_, at) => runOf(at, sheetOf('ann'), 'assemble', 1));
    expect((await order(alone, { workers: 4, selectors: 0 }, 3)).map(({ pool }) => pool)).toEqual([
      'worker',
      'worker',
      'worker',
    ]);
    const busy = [
      runOf(1, sheetOf('bob'), 'train', 500),
      ...Array.from({ length: 9 }, (_, at) => runOf(2 + at, sheetOf('ann'), 'assemble', 1)),
    ];
    busy[0]!.handOut({ task: { run: busy[0]!.run.id, kind: 'train', key: 'x499' } } as Job, {
      pool: 'worker',
      lane: null,
    });
    const taken = await order(busy, { workers: 1, selectors: 1 }, 30);
    expect(taken.filter(({ run, pool }) => run !== busy[0]!.run.id && pool === 'worker')).toEqual([]);
  });

  test('without a selector an assembly waits for busy workers, which do it when they are idle', async () => {
    const [long, short] = [runOf(1, sheetOf('bob'), 'train', 4), runOf(2, sheetOf('ann'), 'assemble', 1)];
    const busy = { task: { run: long.run.id, kind: 'train', key: 'x0' } } as Job;
    long.handOut(busy, { pool: 'worker', lane: null });
    const before = await order([long, short], { workers: 1, selectors: 0 }, 3);
    expect(before.map(({ run, pool }) => [run, pool])).toEqual(Array(3).fill([long.run.id, 'worker']));
    long.takeBack(busy);
    const after = await order([long, short], { workers: 1, selectors: 0 }, 2);
    expect(after.map(({ pool }) => pool)).toEqual(['worker', 'worker']);
    expect(after.map(({ run }) => run).toSorted()).toEqual([long.run.id, short.run.id]);
  });

  test('priorities weigh the runs of one person, and nothing beside those of another', async () => {
    const ann = priorities.map((priority, at) => runOf(at, sheetOf('ann', priority), 'train', 1_000));
    const bob = runOf(9, sheetOf('bob', 'low'), 'train', 1_000);
    const taken = (await order([...ann, bob], { workers: 2, selectors: 1 }, 700)).slice(0, 560);
    const shares = [...ann, bob].map(({ run }) => taken.filter((one) => one.run === run.id).length);
    expect(shares[3]).toBe(280);
    expect(shares[0]! / shares[2]!).toBeCloseTo(4, 0);
    expect(shares[1]! / shares[2]!).toBeCloseTo(2, 0);
  });

  test('a run that begins owes nothing for what others of its person had before, and is owed nothing', async () => {
    const first = runOf(1, sheetOf('ann'), 'train', 1_000);
    await order([first], { workers: 2, selectors: 1 }, 200);
    const second = runOf(2, sheetOf('ann'), 'train', 1_000);
    const taken = await order([first, second], { workers: 2, selectors: 1 }, 300);
    const own = taken.slice(100).filter(({ run }) => run === second.run.id).length;
    expect(own).toBeGreaterThan(90);
    expect(own).toBeLessThan(110);
  });
});
