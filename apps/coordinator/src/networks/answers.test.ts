import { runIdOf } from '@orchard/contracts';
import { samplingOf, sliceName, slicesOf } from '@orchard/registry';
import type { RunLife } from '@orchard/runs';
import { temporaryStore } from '@orchard/storage/testing';
import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Config } from '../config.js';
import { RequestMemory } from '../http/request-memory.js';
import { AnswersController } from './answers.controller.js';

test('a slice of a sampling has its memory until its client has taken it', async () => {
  const facts = { id: 'a'.repeat(64), rows: 10, dimensions: 4, names: null, shape: null };
  const model = { run: 'b'.repeat(64), wanted: 'model' };
  const specification = samplingOf(
    { train: facts, valid: facts, test: null },
    { model, count: 100, seed: 0, rules: true },
  );
  const id = runIdOf(specification);
  const store = temporaryStore();
  await store.put(sliceName(id, slicesOf(specification)![0]!), new Uint8Array(5000));
  const memory = new RequestMemory(8000, 'ORCHARD_MAX_MEMORY_BYTES');
  const life = { status: () => Promise.resolve({ specification }) } as unknown as RunLife;
  const slices = new AnswersController({} as Config, store, life, {} as never, {} as never, memory);
  const answer = (): Response => Object.assign(new EventEmitter(), { closed: false }) as unknown as Response;
  const slow = answer();
  await slices.slice({ id, slice: 0 }, slow);
  expect(memory.taken).toBe(5000);
  await expect(slices.slice({ id, slice: 0 }, answer())).rejects.toMatchObject({ code: 'unavailable' });
  slow.emit('close');
  expect(memory.taken).toBe(0);
  const left = Object.assign(answer(), { closed: true });
  await slices.slice({ id, slice: 0 }, left);
  expect(memory.taken).toBe(0);
});
