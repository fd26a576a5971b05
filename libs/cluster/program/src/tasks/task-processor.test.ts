import {
  JOB_VERSION,
  noProgress,
  presets,
  runIdOf,
  type Job,
  type RunSpecification,
  type Task,
} from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import {
  artefactNames,
  createRun,
  Families,
  NoRoom,
  PipelineError,
  ResidentData,
  ThreadPool,
  type Family,
  type TaskHandler,
  writeDocument,
} from '@orchard/pipeline';
import type { HeldJob, WorkerPresence } from '@orchard/queue';
import { TaskLedger } from '@orchard/runs';
import { FilesystemStore, listAll, StorageError, type ObjectStore } from '@orchard/storage';
import { temporaryFolder, temporaryStore } from '@orchard/storage/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TaskProcessor } from './task-processor.js';

let store: ObjectStore;
let pool: ThreadPool;
let resident: ResidentData;
let specification: RunSpecification;
let run: string;
let processor: TaskProcessor;
let handler: TaskHandler;
let warned: string[];
let observed: string[];
let others: WorkerPresence[];
/** For how long a refused job is kept. */
let refusalMilliseconds: number;

const nowhere = temporaryFolder();
beforeAll(async () => {
  pool = await ThreadPool.start({ store: await FilesystemStore.open(nowhere), threads: 1, kernel: 'reference' });
});
afterAll(() => pool.close());

beforeEach(async () => {
  store = temporaryStore();
  const rows = { id: 'a'.repeat(64), rows: 2, dimensions: 2, names: null, shape: null };
  await writeDocument(store, artefactNames.datasetFacts(rows.id), rows);
  specification = {
    train: rows.id,
    valid: rows.id,
    test: null,
    ...presets.paper,
    ordering: 'natural',
    seed: 1,
    numericsVersion: NUMERICS_VERSION,
  };
  run = runIdOf(specification);
  await createRun(store, specification);
  await mark(0, { kind: 'submit', specification, choice: {} });
  warned = [];
  observed = [];
  others = [];
  refusalMilliseconds = 20;
  // whatever the test says is done for every task of the kind
  const family = {
    name: 'lbarn',
    kinds: [],
    computations: { module: new URL('file:///none'), functions: {} },
    handlers: { train: (...given) => handler(...given) },
  } satisfies Partial<Family>;
  const log = {
    info: () => undefined,
    warn: (_: object, message: string) => warned.push(message),
    error: (_: object, message: string) => warned.push(message),
  };
  resident = new ResidentData(pool, 1e6);
  processor = new TaskProcessor({
    store,
    families: new Families([family as unknown as Family]),
    ledger: new TaskLedger(store),
    resident,
    short: resident,
    log,
    name: 'host-7',
    standing: { stored: () => undefined },
    others: () => Promise.resolve(others),
    isCached: () => Promise.resolve(false),
    checkpointSeconds: undefined,
    get refusalMilliseconds() {
      return refusalMilliseconds;
    },
    observe: (kind, outcome) => observed.push(`${kind} ${outcome}`),
  });
  return () => resident.close();
});

async function mark(number: number, content: object): Promise<void> {
  const text = JSON.stringify({ ...content, id: String(number), at: '2026-01-01T00:00:00.000Z' });
  await store.put(`marks/${run}/${String(number).padStart(6, '0')}`, Buffer.from(text));
}

/** What is stored of attempts. */
async function attempts(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of listAll(store, `runs/${run}/attempts/`)) names.push(name.split('/').slice(3).join('/'));
  return names;
}

function held(changes: Partial<Job> = {}, more: Partial<HeldJob> & { readonly task?: Partial<Task> } = {}): HeldJob {
  const task = { run, kind: 'train', key: '3', ...more.task };
  const job: Job = {
    version: JOB_VERSION,
    task,
    family: 'lbarn',
    numericsVersion: NUMERICS_VERSION,
    detail: {},
    isNew: true,
    ...changes,
  };
  const { signal } = new AbortController();
  return {
    id: 'a job',
    job,
    loss: null,
    lostBy: '',
    addedAt: 0,
    isFirst: true,
    isShort: false,
    signal,
    report: () => undefined,
    ...more,
  };
}

describe('a task that is done', () => {
  test('is stored, with what came of it; that nothing is there yet is believed of a first holder alone', async () => {
    const handed: boolean[] = [];
    handler = ({ isNew }) => {
      handed.push(isNew);
      return Promise.resolve({ stored: 'created', progress: { share: 1, trees: 7, nats: -2 } });
    };
    expect(await processor.process(held())).toMatchObject({ outcome: 'stored', progress: { trees: 7, nats: -2 } });
    await processor.process(held({}, { isFirst: false }));
    await processor.process(held({ isNew: false }));
    expect(handed).toEqual([true, false, false]);
    expect(observed).toEqual(['train stored', 'train stored', 'train stored']);
    expect(await attempts()).toEqual([]);
  });

  test('by somebody before is stored too, without progress', async () => {
    handler = () => Promise.resolve({ stored: 'exists' });
    expect(await processor.process(held())).toMatchObject({ outcome: 'stored', progress: noProgress });
  });
});

describe('a job is given back, and no attempt is counted,', () => {
  test.each([
    ['the store is away', new StorageError('unavailable', { got: 'no answer', expected: 'one', remedy: 'Wait.' })],
    ['the store is full', new StorageError('full', { got: 'no space', expected: 'some', remedy: 'Free some.' })],
    ['a thread died', new PipelineError('thread-lost', { got: 'its end', expected: 'life', remedy: 'Run again.' })],
  ])('where %s', async (_, error) => {
    handler = () => Promise.reject(error);
    const result = await processor.process(held());
    expect(result).toMatchObject({ outcome: 'returned', reason: error.message });
    expect(result.waitMilliseconds).toBeGreaterThan(0);
    expect(await attempts()).toEqual([]);
  });

  test('where there is no room now, at once and without a reason: it will be there', async () => {
    handler = () => Promise.reject(new NoRoom(1e7, true));
    expect(await processor.process(held())).toMatchObject({ outcome: 'returned', reason: null });
    expect([processor.refused.size, await attempts()]).toEqual([0, []]);
  });

  test('where there is never room, and the next is refused before anything is read', async () => {
    let calls = 0;
    handler = () => {
      calls++;
      return Promise.reject(new NoRoom(1e7, false));
    };
    const [first, second] = [await processor.process(held()), await processor.process(held())];
    for (const result of [first, second]) expect(result).toMatchObject({ outcome: 'returned' });
    expect(calls).toBe(1);
    expect([...processor.refused]).toEqual([[run, 1e7]]);
    expect(warned).toEqual(['the run needs more memory than this worker has; left to others']);
    expect(await attempts()).toEqual([]);
  });

  test('where one kind of task has no room another is tried, and the same again after a while', async () => {
    handler = () => Promise.reject(new NoRoom(1e7, false));
    await processor.process(held());
    expect(processor.refused.size).toBe(1);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 120_000);
    expect(processor.refused.size).toBe(0);
    handler = () => Promise.resolve({ stored: 'created' });
    expect(await processor.process(held())).toMatchObject({ outcome: 'stored' });
    vi.restoreAllMocks();
  });

  test.each<[string, Partial<Job>, Partial<Task>, string]>([
    ['of another numerics version', { numericsVersion: NUMERICS_VERSION + 1 }, {}, `version ${NUMERICS_VERSION + 1}`],
    ['of a model that is not known here', { family: 'forest' }, {}, 'the model forest'],
    ['of a kind that is not known here', {}, { kind: 'prune' }, 'prune'],
    ['of a kind that only objects have', {}, { kind: 'constructor' }, 'constructor'],
  ])('where it is %s, and says so', async (_, changes, task, reason) => {
    handler = () => Promise.reject(new Error('was begun'));
    const result = await processor.process(held(changes, { task }));
    expect(result).toMatchObject({ outcome: 'returned', reason: expect.stringContaining(reason) as string });
    expect(result.waitMilliseconds).toBeGreaterThan(0);
    expect(processor.strange).toContain(reason);
    expect(await attempts()).toEqual([]);
  });

  test('where this process ends while it refuses one: at once', async () => {
    refusalMilliseconds = 30_000;
    const stop = new AbortController();
    const begun = performance.now();
    const refusing = processor.process(held({ family: 'forest' }, { signal: stop.signal }));
    stop.abort('shutdown');
    expect(await refusing).toMatchObject({ outcome: 'returned', waitMilliseconds: 0 });
    expect(performance.now() - begun).toBeLessThan(1_500);
  });
});

describe('what the store refuses', () => {
  const refusal = (code: 'denied' | 'full' | 'unsupported' | 'invalid-configuration'): StorageError =>
    new StorageError(code, { got: 'AccessDenied (403)', expected: 'success', remedy: 'Check the key.' });

  test.each(['denied', 'full', 'unsupported', 'invalid-configuration'] as const)(
    'as %s counts as no attempt: the job goes back with the words of the server',
    async (code) => {
      handler = () => Promise.reject(refusal(code));
      expect(await processor.process(held())).toMatchObject({
        outcome: 'returned',
        reason: refusal(code).message,
        waitMilliseconds: 10_000,
      });
      expect(await attempts()).toEqual([]);
      // the next of its kind is not begun
      handler = () => Promise.reject(new Error('was begun'));
      expect(await processor.process(held())).toMatchObject({ outcome: 'returned' });
      expect(await attempts()).toEqual([]);
    },
  );

  test('to one task of a batch gives back what is left of it, and keeps what was stored', async () => {
    handler = (_context, _run, { key }) =>
      key === '4' ? Promise.reject(refusal('full')) : Promise.resolve({ stored: 'created' });
    const batch = ['3', '4'].map((key) => ({ key, detail: {} }));
    const { batch: answered, reason } = await processor.process(held({ batch }));
    expect([answered?.stored.map(([key]) => key), answered?.failed, reason]).toEqual([
      ['3'],
      [],
      refusal('full').message,
    ]);
    expect(await attempts()).toEqual([]);
  });
});

const other: WorkerPresence = {
  ...{ id: 'other', pool: 'worker', threads: 2, active: 0, memoryBytes: 1e9, refused: {}, notice: null },
};

test('a task of large data is left once to a worker that has them and nothing to do', async () => {
  const large = { id: 'b'.repeat(64), rows: 1_000_000, dimensions: 1_000, names: null, shape: null };
  await writeDocument(store, artefactNames.datasetFacts(large.id), large);
  specification = { ...specification, train: large.id };
  run = runIdOf(specification);
  await createRun(store, specification);
  await mark(0, { kind: 'submit', specification, choice: {} });
  handler = () => Promise.resolve({ stored: 'created' });
  others = [{ ...other, cached: [large.id] }];
  expect(await processor.process(held())).toMatchObject({ outcome: 'returned' });
  expect(await processor.process(held())).toMatchObject({ outcome: 'stored' });
});

test('a task that failed here is left to another worker, and tried here where there is none', async () => {
  handler = () => Promise.reject(new Error('the disk of this worker'));
  await expect(processor.process(held())).rejects.toThrow('the disk');
  others = [other];
  expect(await processor.process(held())).toMatchObject({ outcome: 'returned', reason: null });
  expect(await attempts()).toHaveLength(1);
  others = [];
  await expect(processor.process(held())).rejects.toThrow('the disk');
  expect(await attempts()).toHaveLength(2);
});

describe('an attempt that fails', () => {
  test.each([
    ['for a reason of its own', new Error('no luck'), 'unexpected'],
    ['by damage, which no waiting mends', damage(), 'damaged'],
    ['by other bytes', new StorageError('conflict', { got: 'a', expected: 'b', remedy: 'None.' }), 'conflict'],
  ])('%s is counted with its code', async (_, error, code) => {
    handler = () => Promise.reject(error);
    await expect(processor.process(held())).rejects.toBe(error);
    expect(await attempts()).toEqual(['0/train/3/0']);
    const text = Buffer.from(await store.get(`runs/${run}/attempts/0/train/3/0`)).toString();
    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ kind: 'failed', code, worker: 'host-7' });
    expect(observed).toEqual(['train failed']);
  });

  test('before this one by a worker that vanished is counted as a loss, of that worker', async () => {
    handler = () => Promise.resolve({ stored: 'created' });
    expect(await processor.process(held({}, { loss: '1700-1', lostBy: 'that-host' }))).toMatchObject({
      outcome: 'stored',
    });
    expect(await attempts()).toEqual(['0/train/3/lost-1700-1']);
    const text = Buffer.from(await store.get(`runs/${run}/attempts/0/train/3/lost-1700-1`)).toString();
    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ kind: 'lost', worker: 'that-host' });
  });
});

describe('a task that nobody wants any more', () => {
  test('is dropped before it is begun', async () => {
    await mark(1, { kind: 'cancel' });
    handler = () => Promise.reject(new Error('was begun'));
    expect(await processor.process(held())).toMatchObject({ outcome: 'dropped' });
    expect(await attempts()).toEqual([]);
  });

  test('is dropped where it fails because its run was deleted under its hands', async () => {
    handler = async () => {
      await mark(1, { kind: 'delete' });
      throw new StorageError('missing', { got: 'nothing', expected: 'a conditional', remedy: 'Train.' });
    };
    expect(await processor.process(held())).toMatchObject({ outcome: 'dropped' });
    expect(await attempts()).toEqual([]);
  });

  test.each([
    ['dropped', 'one whose run is stopped', ['cancel']],
    ['returned', 'one whose run was stopped and resumed since', ['cancel', 'resume']],
  ])('is %s: %s', async (outcome, _, decisions) => {
    const stop = new AbortController();
    handler = async () => {
      for (const [at, kind] of decisions.entries()) await mark(at + 1, { kind });
      stop.abort('run-stopped');
      throw new PipelineError('interrupted', { got: 'a stop', expected: 'time', remedy: 'Again.' });
    };
    expect((await processor.process(held({}, { signal: stop.signal }))).outcome).toBe(outcome);
    expect(await attempts()).toEqual([]);
  });
});

test('the end of this process is passed on: the queue gives the job to others', async () => {
  const stop = new AbortController();
  const interrupted = new PipelineError('interrupted', { got: 'a stop', expected: 'time', remedy: 'Again.' });
  handler = () => {
    stop.abort('shutdown');
    return Promise.reject(interrupted);
  };
  await expect(processor.process(held({}, { signal: stop.signal }))).rejects.toBe(interrupted);
  expect(await attempts()).toEqual([]);
});

test('where the store cannot say whether a run is wanted the job is given back', async () => {
  const away = new StorageError('unavailable', { got: 'no answer', expected: 'one', remedy: 'Wait.' });
  const list = store.list.bind(store);
  store.list = () => Promise.reject(away);
  expect(await processor.process(held())).toMatchObject({ outcome: 'returned', reason: away.message });
  store.list = list;
  expect(await attempts()).toEqual([]);
});

function damage(): StorageError {
  const where = `runs/${'0'.repeat(64)}/conditionals/1`;
  return new StorageError('damaged', { got: 'bits', expected: 'others', where, remedy: 'Repair.' });
}

describe('a batch of tasks', () => {
  const keys = ['4', '5', '6', '7', '8', '9'];
  const batch = (more: Partial<HeldJob> = {}): HeldJob =>
    held({ batch: keys.map((key) => ({ key, detail: {} })) }, { ...more, task: { key: '8=0' } });

  test('stores each, and counts the failure of the one that fails under its own name', async () => {
    handler = (_, __, { key }) =>
      key === '6'
        ? Promise.reject(new Error('no luck'))
        : Promise.resolve({ stored: 'created', progress: { share: 1, trees: 2, nats: -Number(key) } });
    const result = await processor.process(batch());
    expect(result).toMatchObject({
      outcome: 'stored',
      progress: { trees: 10 },
      batch: { failed: [['6', 'unexpected']] },
    });
    expect(result.batch!.stored.toSorted()).toEqual(
      keys.filter((key) => key !== '6').map((key) => [key, 2, -Number(key)]),
    );
    expect(await attempts()).toEqual(['0/train/6/0']);
  });

  test('of which a worker died is given back: each is tried alone, and no loss is counted for all', async () => {
    handler = () => Promise.reject(new Error('was begun'));
    expect(await processor.process(batch({ loss: '1700-1' }))).toMatchObject({ outcome: 'returned' });
    expect(await attempts()).toEqual([]);
  });

  test('gives back what was not done when the store went away, and keeps what was', async () => {
    const away = new StorageError('unavailable', { got: 'no answer', expected: 'one', remedy: 'Wait.' });
    handler = (_, __, { key }) => (key === '4' ? Promise.resolve({ stored: 'created' }) : Promise.reject(away));
    const result = await processor.process(batch());
    expect(result).toMatchObject({ outcome: 'stored', reason: away.message, batch: { failed: [] } });
    expect(result.batch!.stored.map(([key]) => key)).toEqual(['4']);
    expect(result.waitMilliseconds).toBeGreaterThan(0);
    expect(await attempts()).toEqual([]);
  });

  test('ends with its run, and with this process', async () => {
    for (const reason of ['run-stopped', 'shutdown']) {
      const stop = new AbortController();
      const interrupted = new PipelineError('interrupted', { got: 'a stop', expected: 'time', remedy: 'Again.' });
      let begun = 0;
      handler = () => {
        begun += 1;
        stop.abort(reason);
        return Promise.reject(interrupted);
      };
      const ended = processor.process(batch({ signal: stop.signal }));
      if (reason === 'shutdown') await expect(ended).rejects.toBe(interrupted);
      else expect(await ended).toMatchObject({ outcome: 'returned' });
      expect(begun).toBeLessThanOrEqual(4);
    }
    expect(await attempts()).toEqual([]);
  });
});
