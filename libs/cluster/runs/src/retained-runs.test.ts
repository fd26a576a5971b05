import { runIdOf } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { temporaryStore } from '@orchard/storage/testing';
import { beforeEach, expect, test } from 'vitest';
import { RunError } from './errors.js';
import { Marks } from './marks.js';
import { PeopleUse } from './people-use.js';
import { RetainedRuns } from './retained-runs.js';
import { RunPins } from './run-pins.js';
import { RunSheets } from './run-sheets.js';
import { specificationOf } from './specification.suite.js';

const choice = { selection: 'linearized', refit: true } as const;
const last = { keepSeconds: null, lastOfPerson: 1, bytesOfPerson: null };
const [first, second, third, open] = [1, 2, 3, 4].map((seed) => runIdOf(specificationOf(seed)));

let store: ObjectStore;
let marks: Marks;
let removed: string[];
/** What happens while the first run is removed. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  store = temporaryStore();
  marks = new Marks(store);
  removed = [];
  meanwhile = () => Promise.resolve();
  const sheets = new RunSheets(store);
  for (let seed = 1; seed <= 4; seed++) {
    const run = runIdOf(specificationOf(seed));
    await sheets.write(run, { submitter: { name: 'ann', way: 'token' }, name: null, labels: {}, priority: 'normal' });
    await marks.append(run, 0, { kind: 'submit', specification: specificationOf(seed), choice });
    if (run !== open) await marks.append(run, 1, { kind: 'done' });
    // marks are of milliseconds
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
});

const pins = (): RunPins => new RunPins(store);

function retained(): RetainedRuns {
  const sheets = new RunSheets(store);
  const remove = async (run: string): Promise<void> => {
    removed.push(run);
    await meanwhile();
  };
  return new RetainedRuns({ marks, sheets, pins: pins(), use: new PeopleUse(store, marks, sheets), remove });
}

const removeAll = async (): Promise<string[]> => {
  const reported: string[] = [];
  await retained().remove(last, ({ run }) => Promise.resolve(void reported.push(run)));
  expect(reported).toEqual(removed);
  return removed;
};

test('the runs that a rule does not keep are listed and removed, the oldest first; an open one stays', async () => {
  const why = 'its submitter has 1 newer runs';
  expect(await retained().expired(last)).toEqual([
    { run: first, why },
    { run: second, why },
  ]);
  expect(removed).toEqual([]);
  expect(await removeAll()).toEqual([first, second]);
  expect(third).toBeDefined();
});

test('without a rule nothing is read', async () => {
  const none = { keepSeconds: null, lastOfPerson: null, bytesOfPerson: null };
  store.list = () => Promise.reject(new Error('listed'));
  expect(await retained().expired(none)).toEqual([]);
});

test('a run that is pinned or resumed while another is removed stays', async () => {
  meanwhile = () => pins().pin(second!);
  expect(await removeAll()).toEqual([first]);
  await pins().unpin(second!);
  removed = [];
  meanwhile = () => marks.append(second!, 2, { kind: 'submit', specification: null, choice });
  expect(await removeAll()).toEqual([first]);
});

test('a pin is seen at once where it was made, and as long as it is there', async () => {
  const own = pins();
  expect(await own.shown()).toEqual(new Set());
  await own.pin(first!);
  await own.pin(first!);
  expect(await own.shown()).toEqual(new Set([first]));
  expect(await pins().shown()).toEqual(new Set([first]));
  await own.unpin(first!);
  await own.unpin(first!);
  expect(await own.shown()).toEqual(new Set());
});

test('a run whose model is being asked stays until the next time, and the others go', async () => {
  meanwhile = () =>
    removed.length > 1
      ? Promise.resolve()
      : Promise.reject(new RunError('run-in-use', { got: 'a run', expected: 'another', remedy: 'Wait.' }));
  const reported: string[] = [];
  await retained().remove(last, ({ run }) => Promise.resolve(void reported.push(run)));
  expect([removed, reported]).toEqual([[first, second], [second]]);
});
