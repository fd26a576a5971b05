import type { S3Store } from '@orchard/storage/s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultProxy, type Fault, type FaultProxy } from '../servers/fault-proxy.js';
import { lacks } from '../servers/needed.js';
import { smallestPart, S3UnderTest } from './s3-under-test.suite.js';

const s3 = new S3UnderTest();

describe.skipIf(lacks('s3'))('the S3 store behind a network that fails', () => {
  const bytes = new TextEncoder().encode('a conditional of some bytes, '.repeat(1000));
  let proxy: FaultProxy;
  let plan: (method: string, url: string) => Fault | null = () => null;
  let plain: S3Store;
  let troubled: S3Store;
  const outcomes: string[] = [];
  beforeAll(async () => {
    proxy = await startFaultProxy(s3.server.url, (method, url) => plan(method, url));
    const shared = s3.configuration({ timeout: 300, onAttempt: ({ outcome }) => outcomes.push(outcome) });
    plain = await s3.open({ ...shared, timeout: 20_000 });
    troubled = await s3.open({ ...shared, endpoint: proxy.url });
  });
  afterAll(() => proxy.stop());

  /** The next requests of a method meet these faults, one each. */
  function faults(wanted: string, ...list: readonly Fault[]): void {
    const left = [...list];
    plan = (method) => (method === wanted ? (left.shift() ?? null) : null);
    outcomes.length = 0;
  }
  const firedSince = async (name: string, act: () => Promise<unknown>): Promise<number> => {
    const before = proxy.fired.get(name) ?? 0;
    await act();
    return (proxy.fired.get(name) ?? 0) - before;
  };

  test.each<[string, Fault]>([
    ['503', { status: 503, code: 'SlowDown' }],
    ['500', { status: 500, code: 'InternalError' }],
    ['409', { status: 409, code: 'ConditionalRequestConflict' }],
    ['409', { status: 409, code: 'ExistingObjectIsDirectory' }],
    ['429', { status: 429, code: 'TooManyRequests' }],
    ['400', { status: 400, code: 'RequestTimeout' }],
    ['stall', 'stall'],
  ])('a put that met %s twice is made a third time: %j', async (name, fault) => {
    const object = `put/${typeof fault === 'string' ? fault : fault.code}`;
    faults('PUT', fault, fault);
    const fired = await firedSince(name, async () => {
      expect(await troubled.put(object, bytes)).toBe('created');
    });
    expect(fired).toBe(2);
    expect(outcomes).toHaveLength(3);
    expect(await plain.get(object)).toEqual(bytes);
  });

  test('a put whose answer was lost finds its own object, and is a success', async () => {
    faults('PUT', 'lose-answer');
    const fired = await firedSince('lose-answer', async () => {
      expect(await troubled.put('put/lost', bytes)).toBe('exists');
    });
    expect(fired).toBe(1);
    expect(await plain.get('put/lost')).toEqual(bytes);
  });

  test('a put that is told the name is taken, of which there is nothing, is made again', async () => {
    faults('PUT', { status: 412, code: 'PreconditionFailed' });
    expect(await firedSince('412', () => troubled.put('put/ghost', bytes))).toBe(1);
    expect(await plain.get('put/ghost')).toEqual(bytes);
  });

  test('a large put survives failures of its parts and the loss of the last answer', async () => {
    const large = new Uint8Array(3 * smallestPart).fill(3);
    let parts = 0;
    let completions = 0;
    plan = (method, url) => {
      if (url.includes('partNumber=') && parts++ % 2 === 0) return { status: 503, code: 'SlowDown' };
      const completes = method === 'POST' && url.includes('uploadId=') && url.includes('put/large');
      return completes && completions++ === 0 ? 'lose-answer' : null;
    };
    const fired = await firedSince('lose-answer', async () => {
      // a server may know the upload again, or only that the name is taken
      expect(await troubled.put('put/large', large)).toMatch(/^(created|exists)$/);
    });
    expect(fired).toBe(1);
    expect(parts).toBeGreaterThan(3);
    plan = () => null;
    expect(Buffer.compare(await plain.get('put/large'), large)).toBe(0);
  });

  test.each<Fault & string>(['cut-body', 'flip-bit', 'stall', 'lose-answer'])(
    'a get that met %s is made again, and never answers with other bytes',
    async (fault) => {
      plan = () => null;
      await plain.put('get/object', bytes);
      faults('GET', fault, fault);
      const fired = await firedSince(fault, async () => {
        expect(await troubled.get('get/object')).toEqual(bytes);
      });
      expect(fired).toBe(2);
      faults('GET', 'cut-body');
      expect(await troubled.get('get/object', { start: 10, end: 20_000 })).toEqual(bytes.slice(10, 20_000));
    },
  );

  test('an object that is damaged in the store is never handed out', async () => {
    await plain.put('get/damaged', bytes);
    faults('GET', ...Array.from({ length: 6 }, () => 'flip-bit' as const));
    await expect(troubled.get('get/damaged')).rejects.toMatchObject({
      code: expect.stringMatching(/damaged|unavailable/) as string,
    });
    expect(outcomes).toHaveLength(6);
  });

  test('a list and a delete are made again too', async () => {
    plan = () => null;
    await plain.put('list/one', bytes);
    faults('GET', { status: 503, code: 'SlowDown' }, 'lose-answer');
    expect(await troubled.list('list/')).toHaveLength(1);
    faults('DELETE', 'lose-answer', { status: 500, code: 'InternalError' });
    await troubled.delete('list/one');
    expect(await plain.head('list/one')).toBeNull();
  });

  test('what fails every time is reported as worth another try, with what was seen', async () => {
    plan = () => ({ status: 503, code: 'SlowDown' });
    const error = await troubled.put('put/never', bytes).catch((error: unknown) => error);
    plan = () => null;
    expect(error).toMatchObject({ code: 'unavailable', retryable: true, where: 'put/never' });
    expect(String(error)).toContain('SlowDown (503), 6 times in a row');
  });

  test('what is refused for good is not tried twice', async () => {
    faults('PUT', { status: 403, code: 'AccessDenied' });
    await expect(troubled.put('put/denied', bytes)).rejects.toMatchObject({ code: 'denied', retryable: false });
    expect(outcomes).toEqual(['AccessDenied']);
  });
});
