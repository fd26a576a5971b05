import { describe, expect, test } from 'vitest';
import { batchOf, dimensionOfTask, memberKey, memberOfTask, taskNames, tasksOfJob, type Task } from './task.js';

const run = 'ab'.repeat(32);
const tasks: Task[] = [
  { run, kind: 'train', key: '17' },
  { run, kind: 'refit', key: '0123456789abcdef.3' },
  { run, kind: 'select', key: 'all' },
  { run, kind: 'assemble', key: 'linearized-backward-refit' },
  { run, kind: 'train', key: memberKey({ member: 3, network: null }, '17') },
  { run, kind: 'refit', key: memberKey({ member: 12, network: 2 }, '0123456789abcdef.3') },
  { run, kind: 'select', key: memberKey({ member: 0, network: null }, 'all') },
];

describe('the names of a task', () => {
  test('lead back to it, from the queue, from its attempts and from its artefact', () => {
    for (const task of tasks) {
      expect(taskNames.ofJob(taskNames.job(task))).toEqual(task);
      expect(taskNames.ofWork(run, taskNames.work(task))).toEqual(task);
      expect(taskNames.keyOfArtefact(taskNames.artefact(task, 'folder'), run, 'folder')).toBe(task.key);
    }
  });

  test('of other things lead nowhere', () => {
    for (const name of [
      '',
      'train',
      `train-${run}`,
      `train-${run}-`,
      `Train-${run}-1`,
      `train-${run}-a/b`,
      'train-12-3',
    ])
      expect(taskNames.ofJob(name)).toBeNull();
    for (const name of ['train', 'train/', 'train/a/b', '/1']) expect(taskNames.ofWork(run, name)).toBeNull();
    expect(taskNames.keyOfArtefact(`runs/${run}/others/1`, run, 'folder')).toBeNull();
    expect(taskNames.keyOfArtefact(`runs/${run}/folder/`, run, 'folder')).toBeNull();
  });

  test('say the dimension where the task is about one', () => {
    expect(tasks.map(dimensionOfTask)).toEqual([17, 3, null, null, 17, 3, null]);
    expect(tasks.map(taskNames.words)).toEqual([
      'dimension 17 (train)',
      'dimension 3 (refit)',
      'select all',
      'assemble linearized-backward-refit',
      'dimension 17 of member 3 (train)',
      'dimension 3 of network 2 of member 12 (refit)',
      'select all of member 0',
    ]);
    expect(dimensionOfTask({ key: '007' })).toBeNull();
  });

  test('say the member where the task is about one', () => {
    expect(tasks.map(memberOfTask)).toEqual([
      ...[null, null, null, null],
      { member: 3, network: null, rest: '17' },
      { member: 12, network: 2, rest: '0123456789abcdef.3' },
      { member: 0, network: null, rest: 'all' },
    ]);
    for (const key of ['m', 'm1', 'm01.2', 'mn.1', 'm1n.2', 'x1.2']) expect(memberOfTask({ key })).toBeNull();
  });

  test('say the neighbours where it is a batch of them, whichever of them is asked', () => {
    for (const [key, name, words] of [
      ['17', '8=2', 'dimensions 16 to 23 (train)'],
      ['23', '8=2', 'dimensions 16 to 23 (train)'],
      ['m3n2.5', 'm3n2.8=0', 'dimensions 0 to 7 of network 2 of member 3 (train)'],
      ['0123456789abcdef.16', '0123456789abcdef.8=2', 'dimensions 16 to 23 (train)'],
    ] as const) {
      const { task, keys } = batchOf({ run, kind: 'train', key }, 8)!;
      expect([task.key, keys.length, keys.includes(key), taskNames.words(task)]).toEqual([name, 8, true, words]);
      expect(taskNames.ofJob(taskNames.job(task))).toEqual(task);
      expect(dimensionOfTask(task)).toBeNull();
      const batch = keys.map((own) => ({ key: own, detail: {} }));
      expect(tasksOfJob({ task, batch }).map((own) => own.key)).toEqual(keys);
    }
    expect(batchOf({ run, kind: 'select', key: 'all' }, 8)).toBeNull();
  });
});
