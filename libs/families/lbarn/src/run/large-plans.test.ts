import { presets, runIdOf, type RunSpecification } from '@orchard/contracts';
import type { Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { expect, test } from 'vitest';
import { planMembers } from '../members/plan-members.js';
import { lbarnRun, type LbarnRun } from './lbarn-run.js';
import { planRun } from './plan.js';

// beyond what an argument list holds, some 125,000 values
function runOf(dimensions: number, more: Partial<RunSpecification> = {}): LbarnRun {
  const specification: RunSpecification = {
    train: 'a'.repeat(64),
    valid: 'b'.repeat(64),
    test: null,
    ...presets.paper,
    ordering: 'natural',
    seed: 1,
    numericsVersion: 1,
    ...more,
  };
  const facts = { id: specification.train, rows: 40, dimensions, names: null, shape: null };
  const run: Run = {
    id: runIdOf(specification),
    family: 'lbarn',
    specification,
    datasets: { train: facts, valid: facts, test: null },
  };
  return lbarnRun(run);
}

const store = {} as ObjectStore;
const choice = { selection: 'linearized', refit: true } as const;
const options = { withReport: true };

test('a run of 262,144 columns is planned', async () => {
  const plan = await planRun(store, runOf(262_144), [choice], options, new Set());
  expect([plan.tasks.length, plan.stages['train']]).toEqual([262_144, { total: 262_144, done: 0 }]);
});

test('a run of 1,024 members of 128 columns is planned, a task for each network and column', async () => {
  const members = { orderings: ['natural', 'reversed'], folds: 4 } as const;
  const run = runOf(128, { members: { ...members, orderings: [...members.orderings] } });
  const plan = await planMembers(store, run, [{ ...choice, members: 1_024 }], options, new Set());
  expect(plan.tasks).toHaveLength(1_024 * 128);
  expect(plan.stages['assemble']).toEqual({ total: 1_024, done: 0 });
});
