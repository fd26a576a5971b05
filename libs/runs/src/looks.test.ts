import { expect, test } from 'vitest';
import { Looks } from './looks.js';

/** Looks that end when they are told to. */
function heldLooks(isStopped = (): boolean => false): {
  looks: Looks;
  begun: string[];
  ended: string[];
  failed: unknown[];
  release: (error?: Error) => void;
} {
  const begun: string[] = [];
  const ended: string[] = [];
  const failed: unknown[] = [];
  let held: { resolve: () => void; reject: (error: Error) => void } | null = null;
  const looks = new Looks({
    look: (id) => {
      begun.push(id);
      return new Promise((resolve, reject) => (held = { resolve, reject }));
    },
    onError: (_, error) => failed.push(error),
    onEnd: (id) => ended.push(id),
    isStopped,
  });
  const release = (error?: Error): void => (error === undefined ? held?.resolve() : held?.reject(error));
  return { looks, begun, ended, failed, release };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('any number who ask while a look is under way are served by one more, which begins after it', async () => {
  const { looks, begun, ended, release } = heldLooks();
  const asked = [looks.at('a'), looks.at('a'), looks.at('a')];
  expect(begun).toEqual(['a']);
  release();
  await turn();
  expect([begun, ended]).toEqual([['a', 'a'], []]);
  release();
  await Promise.all(asked);
  expect([begun, ended]).toEqual([['a', 'a'], ['a']]);
});

test('runs do not wait for each other', () => {
  const { looks, begun } = heldLooks();
  void looks.at('a');
  void looks.at('b');
  expect(begun).toEqual(['a', 'b']);
});

test('one that fails says so and rejects nobody, and the next one begins anew', async () => {
  const { looks, begun, failed, release } = heldLooks();
  const asked = looks.at('a');
  release(new Error('no store'));
  await asked;
  expect(failed).toHaveLength(1);
  void looks.at('a');
  expect(begun).toEqual(['a', 'a']);
});

test('none follows after a stop, and whoever waits is told when the last has ended', async () => {
  const { looks, begun, release } = heldLooks(() => true);
  void looks.at('a');
  void looks.at('a');
  const settled = looks.settled();
  release();
  await settled;
  expect(begun).toEqual(['a']);
});
