import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.js';

const here = (): AbortSignal => new AbortController().signal;

/** Requests that each end when they are told to, and the order in which they began. */
function requests(atOnce: number, mostWaiting: number) {
  const turns = new FairTurns(atOnce, mostWaiting);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string, gone = here()): Promise<void> =>
    turns.take(caller, gone, () => {
      begun.push(caller);
      return new Promise((resolve) => ends.push(resolve));
    });
  /** The longest under way ends, and what follows begins. */
  const end = async (): Promise<void> => {
    ends.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, begun, end };
}

test('a caller who asks once waits for one request of each other, however many these have sent', async () => {
  const { ask, begun, end } = requests(2, 16);
  const all = [...Array.from({ length: 10 }, () => ask('ann')), ask('bob'), ask('cyd'), ask('bob')];
  expect(begun).toEqual(['ann', 'ann']);
  for (let ended = 0; ended < all.length; ended++) await end();
  await Promise.all(all);
  expect(begun.slice(2)).toEqual(['ann', 'bob', 'cyd', 'ann', 'bob', ...Array<string>(6).fill('ann')]);
});

test('where too many wait the next of their caller is refused, and the first of another waits', async () => {
  const { ask, begun, end } = requests(1, 2);
  const all = [ask('ann'), ask('ann'), ask('ann')];
  await expect(ask('ann')).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '5' } });
  all.push(ask('bob'));
  await expect(ask('bob')).rejects.toMatchObject({ code: 'unavailable' });
  for (let ended = 0; ended < all.length; ended++) await end();
  await Promise.all(all);
  expect(begun).toEqual(['ann', 'ann', 'bob', 'ann']);
  // nothing is left of them
  const next = ask('ann');
  expect(begun).toHaveLength(5);
  await end();
  await next;
});

test('one whose client leaves makes room, and what fails does', async () => {
  const { ask, begun, end } = requests(1, 1);
  const first = ask('ann');
  const leaving = new AbortController();
  const left = ask('ann', leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ got: 'a client that left' });
  const second = ask('ann');
  await end();
  await first;
  await end();
  await second;
  expect(begun).toEqual(['ann', 'ann']);
  const turns = new FairTurns(1, 1);
  await expect(turns.take('ann', here(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take('ann', here(), () => Promise.resolve(1))).toBe(1);
});

test('one whose client left before it asked takes no turn', async () => {
  const { ask, begun, end } = requests(1, 1);
  await expect(ask('ann', AbortSignal.abort())).rejects.toMatchObject({ got: 'a client that left' });
  const first = ask('bob');
  // nor a place among those that wait
  await expect(ask('ann', AbortSignal.abort())).rejects.toMatchObject({ got: 'a client that left' });
  const second = ask('ann');
  expect(begun).toEqual(['bob']);
  await end();
  await first;
  await end();
  await second;
  expect(begun).toEqual(['bob', 'ann']);
});
