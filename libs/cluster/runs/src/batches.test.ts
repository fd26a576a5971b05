import { noProgress, type Job, type Task } from '@orchard/contracts';
import type { Family, Plan, Run } from '@orchard/pipeline';
import type { JobQueues, JobResult } from '@orchard/queue';
import { expect, test } from 'vitest';
import { noFailures, type Failures } from './attempts.js';
import { batchSize } from './batches.js';
import { Dispatch } from './dispatch.js';
import type { Life } from './lifecycle.js';
import { TrackedRun } from './tracked-run.js';

const id = 'ab'.repeat(32);
const taskOf = (key: string): Task => ({ run: id, kind: 'train', key });
const planned = (dimensions: number, isNew = true): Plan['tasks'] =>
  Array.from({ length: dimensions }, (_, dim) => ({ task: taskOf(`${dim}`), cost: 1, detail: { dim }, isNew }));

/** A run of so many dimensions, and a queue that keeps what it is given. */
function scene(tasks: Plan['tasks'], failures: Failures = noFailures) {
  const kinds = [{ kind: 'train', pool: 'worker', state: 'training', folder: 'conditionals', counted: 'dimensions' }];
  const life = { standing: 'open', epoch: 0 } as unknown as Life;
  const run = new TrackedRun(
    { name: 'lbarn', kinds } as unknown as Family,
    { id, specification: { numericsVersion: 1 } } as unknown as Run,
    life,
  );
  const stages = { train: { total: tasks.length, done: 0 } };
  run.endLook(life, { tasks, stages, complete: [] }, failures);
  const jobs: Job[] = [];
  const queues = { add: (added: { job: Job }[]) => Promise.resolve(void jobs.push(...added.map(({ job }) => job))) };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const ports = { queues: queues as unknown as JobQueues, log, observer: {} };
  const dispatch = new Dispatch(ports, new Map([[id, run]]), 64, 5000);
  const end = (job: Job, result: Partial<JobResult>): void => {
    const whole = {
      progress: noProgress,
      seconds: 0.005,
      reason: null,
      waitMilliseconds: 0,
      outcome: 'stored',
    } as const;
    run.record({ kind: 'completed', id: `train-${id}-${job.task.key}`, result: { ...whole, ...result } });
  };
  /** The jobs that the next dispatch adds. */
  const next = async (): Promise<Job[]> => {
    jobs.length = 0;
    await dispatch.now();
    return [...jobs];
  };
  return { run, next, end };
}

const keysOf = ({ task, batch }: Job): string[] => batch?.map(({ key }) => key) ?? [task.key];

test('short tasks are one job with their neighbours once it is known that they are short', async () => {
  const { run, next, end } = scene(planned(1_000));
  const first = await next();
  // they may be long: as few as of batches
  expect(first.map(({ batch }) => batch)).toEqual(Array.from({ length: 8 }, () => undefined));
  for (const job of first) end(job, {});
  const second = await next();
  // blocks of neighbours follow, named by how many and which, each task with its detail
  expect(second.map(({ task }) => task.key)).toEqual(['64=0', '64=1', '64=2', '64=3', '64=4', '64=5', '64=6', '64=7']);
  expect(second[0]!.batch).toHaveLength(56);
  expect(second[1]!.batch![1]).toEqual({ key: '65', detail: { dim: 65 } });
  expect(await next()).toEqual([]);
  run.record({ kind: 'active', id: `train-${id}-64=1` });
  expect(run.active.size).toBe(64);
  const stored = keysOf(second[1]!).map((key) => [key, 3, -1] as [string, number, number]);
  end(second[1]!, { batch: { stored: stored.slice(2), failed: [['64', 'unexpected']] } });
  expect([run.active.size, run.doneSinceLook('train'), run.missing.size]).toEqual([0, 8 + 62, 1_000 - 8 - 62]);
  // what failed waits; what was given back goes by itself
  const third = await next();
  expect(third[0]!.task.key).toBe('65');
  expect([third[0]!.isNew, third[0]!.batch]).toEqual([false, undefined]);
  expect(third.flatMap(keysOf)).not.toContain('64');
});

test('what failed before, has a checkpoint, or takes long goes alone', async () => {
  const failure = { kind: 'failed', code: 'unexpected' } as never;
  const tried = { attempts: new Map([['train/100', [failure]]]), givenUp: new Map() };
  const { next, end } = scene([...planned(300), ...planned(302, false).slice(300)], tried);
  for (const job of await next()) end(job, {});
  const jobs = await next();
  const alone = jobs.filter(({ batch }) => batch === undefined).map(({ task }) => task.key);
  expect(jobs.find((job) => keysOf(job).includes('100'))?.batch).toBeUndefined();
  expect(alone).not.toContain('101');
  expect(batchSize(null, 1e6)).toBe(1);
  expect([0.005, 0.02, 0.1, 0.2, 10].map((seconds) => batchSize(seconds, 1e6))).toEqual([64, 16, 4, 1, 1]);
  // where few are left, every thread has its share
  expect(batchSize(0.001, 9)).toBe(8);
});

test('a batch that came back as a whole is taken apart, whoever made it', async () => {
  const { run, next, end } = scene(planned(1_000));
  for (const job of await next()) end(job, {});
  const batch = (await next())[1]!;
  const other = scene(planned(1_000)).run;
  for (const one of [run, other]) {
    one.takeOver([{ id: `train-${id}-64=1`, job: batch, pool: 'worker', lane: null, state: 'active' }]);
    expect([one.active.size, one.held(8, 'worker')]).toEqual([64, 8]);
    const result: JobResult = {
      ...{ outcome: 'returned', progress: noProgress, seconds: 0, reason: null, waitMilliseconds: 0 },
    };
    one.record({ kind: 'completed', id: `train-${id}-64=1`, result });
    expect(one.held(8, 'worker')).toBe(0);
    const again = [...one.candidates(64, 'worker')].filter(({ planned: [first] }) => Number(first!.task.key) < 128);
    expect(again.slice(-64).every((candidate) => candidate.planned.length === 1)).toBe(true);
  }
});
