import { describe, expect, test } from 'vitest';
import { dimensionOfTask, taskNames, type Task } from './task.js';

const run = 'ab'.repeat(32);
const tasks: Task[] = [
  { run, kind: 'train', key: '17' },
  { run, kind: 'refit', key: '0123456789abcdef.3' },
  { run, kind: 'select', key: 'all' },
  { run, kind: 'assemble', key: 'linearized-backward-refit' },
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
    expect(tasks.map(dimensionOfTask)).toEqual([17, 3, null, null]);
    expect(tasks.map(taskNames.words)).toEqual([
      'dimension 17 (train)',
      'dimension 3 (refit)',
      'select all',
      'assemble linearized-backward-refit',
    ]);
    expect(dimensionOfTask({ key: '007' })).toBeNull();
  });
});
