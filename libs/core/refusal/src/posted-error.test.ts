import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { isRefusal, posted, received, Refusal, type PostedError } from './index.js';

const parts = { got: 'ENOSPC', expected: 'success', where: 'datasets/a', remedy: 'Free some space.' };

/** As an error arrives at the other side of a channel. */
async function across(error: unknown): Promise<Error> {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(posted(error));
    const [message] = (await once(port2, 'message')) as [PostedError];
    return received(message);
  } finally {
    port1.close();
  }
}

describe('an error that is posted', () => {
  test('arrives as the refusal that it was, with its words, its stack and what follows from its code', async () => {
    class StoreRefusal extends Refusal<'full'> {}
    const sent = new StoreRefusal('full', parts, { message: 'The disk is full.' });
    const seen = await across(sent);
    expect(isRefusal(seen, 'full')).toBe(true);
    expect(seen).toMatchObject({ ...parts, name: 'StoreRefusal', message: 'The disk is full.', retryable: true });
    expect(seen.stack).toBe(sent.stack);
  });

  test('brings its causes, and the system code of the last', async () => {
    const system = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const seen = await across(
      new Refusal('training-failed', parts, { cause: new Refusal('full', parts, { cause: system }) }),
    );
    expect(isRefusal(seen.cause, 'full')).toBe(true);
    expect((seen.cause as Error).cause).toMatchObject({ message: 'no space left', code: 'ENOSPC' });
  });

  test('that is no refusal arrives as none, whatever it looks like', async () => {
    const seen = await across(Object.assign(new TypeError('not a function'), { ...parts, code: 'full' }));
    expect(isRefusal(seen)).toBe(false);
    expect(seen).toMatchObject({ name: 'TypeError', message: 'not a function' });
  });

  test('may be no error at all', async () => {
    expect((await across('a word')).message).toBe('a word');
    expect((await across(undefined)).message).toBe('undefined');
  });

  test('whose causes go round in a circle is cut', async () => {
    const round = new Error('round');
    round.cause = round;
    let depth = 0;
    for (let at: unknown = await across(round); at instanceof Error; at = at.cause) depth += 1;
    expect(depth).toBe(9);
  });
});
