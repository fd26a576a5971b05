import { expect, test } from 'vitest';
import { RunRequests } from './run-requests.js';

/** Requests whose reconciliations end when they are told to. */
function heldRequests(isStopped = (): boolean => false): {
  requests: RunRequests;
  begun: string[];
  ended: string[];
  failed: unknown[];
  release: (error?: Error) => void;
} {
  const begun: string[] = [];
  const ended: string[] = [];
  const failed: unknown[] = [];
  let held: { resolve: () => void; reject: (error: Error) => void } | null = null;
  const requests = new RunRequests({
    reconcile: (id) => {
      begun.push(id);
      return new Promise((resolve, reject) => (held = { resolve, reject }));
    },
    onError: (_, error) => failed.push(error),
    onEnd: (id) => ended.push(id),
    isStopped,
  });
  const release = (error?: Error): void => (error === undefined ? held?.resolve() : held?.reject(error));
  return { requests, begun, ended, failed, release };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('any number who ask while one is under way are served by one more, which begins after it', async () => {
  const { requests, begun, ended, release } = heldRequests();
  const asked = [requests.of('a'), requests.of('a'), requests.of('a')];
  expect(begun).toEqual(['a']);
  release();
  await turn();
  expect([begun, ended]).toEqual([['a', 'a'], []]);
  release();
  await Promise.all(asked);
  expect([begun, ended]).toEqual([['a', 'a'], ['a']]);
});

test('one that finds itself out of date is followed by another', async () => {
  const { requests, begun, ended, release } = heldRequests();
  const asked = requests.of('a');
  requests.again('a');
  requests.again('b');
  release();
  await turn();
  expect([begun, ended]).toEqual([['a', 'a'], []]);
  release();
  await asked;
  expect(begun).toEqual(['a', 'a']);
});

test('runs do not wait for each other', () => {
  const { requests, begun } = heldRequests();
  void requests.of('a');
  void requests.of('b');
  expect(begun).toEqual(['a', 'b']);
});

test('one that fails says so and rejects nobody, and the next one begins anew', async () => {
  const { requests, begun, failed, release } = heldRequests();
  const asked = requests.of('a');
  release(new Error('no store'));
  await asked;
  expect(failed).toHaveLength(1);
  void requests.of('a');
  expect(begun).toEqual(['a', 'a']);
});

test('a request that arrives while one is failing is kept: another follows', async () => {
  const { requests, begun, ended, failed, release } = heldRequests();
  const asked = [requests.of('a'), requests.of('a')];
  release(new Error('no store'));
  await turn();
  expect([begun, ended]).toEqual([['a', 'a'], []]);
  release();
  await Promise.all(asked);
  expect([failed.length, ended]).toEqual([1, ['a']]);
});

test('none follows after a stop, and whoever waits is told when the last has ended', async () => {
  const { requests, begun, release } = heldRequests(() => true);
  void requests.of('a');
  void requests.of('a');
  const settled = requests.settled();
  release();
  await settled;
  expect(begun).toEqual(['a']);
});
