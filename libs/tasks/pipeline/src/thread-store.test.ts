import { posted } from '@orchard/refusal';
import { FilesystemStore } from '@orchard/storage';
import { temporaryFolder } from '@orchard/storage/testing';
import { describeObjectStore } from '@orchard/storage/conformance';
import { expect, test } from 'vitest';
import type { StoreMethod } from './thread-messages.js';
import { ThreadStore } from './thread-store.js';

/** A store as a thread has it: what goes to the other side and back is copied, as messages are. */
function across(store: FilesystemStore): ThreadStore {
  const seen = new ThreadStore((call: number, method: StoreMethod, args: readonly unknown[]) => {
    const ask = store[method].bind(store) as (...args: readonly unknown[]) => Promise<unknown>;
    ask(...structuredClone(args)).then(
      (result) => {
        seen.answer(call, structuredClone(result));
      },
      (error: unknown) => {
        seen.refuse(call, structuredClone(posted(error)));
      },
    );
  });
  return seen;
}

const folder = temporaryFolder();
describeObjectStore('the store as a thread sees it', {
  open: async () => {
    const store = await FilesystemStore.open(folder);
    return { store: across(store), another: store };
  },
  largeObject: 5 * 2 ** 20,
});

test('answers go to whoever asked, in whatever order they come, and once', async () => {
  const asked: number[] = [];
  const store = new ThreadStore((call) => asked.push(call));
  const heads = ['a', 'b', 'c'].map((name) => store.head(name));
  expect(asked).toEqual([0, 1, 2]);
  const refused = expect(heads[1]).rejects.toMatchObject({ code: 'training-failed', where: 'the store' });
  store.answer(2, { name: 'c', size: 3 });
  store.refuse(1, posted(new Error('no luck')));
  store.answer(0, null);
  store.answer(0, { name: 'never', size: 0 });
  await refused;
  expect(await heads[0]).toBeNull();
  expect(await heads[2]).toEqual({ name: 'c', size: 3 });
});
