import { ThreadPool, type Computations, type DataRequest, type ResidentData } from '@orchard/pipeline';
import { temporaryStore } from '@orchard/storage/testing';
import { expect, test, vi } from 'vitest';
import { shortPlacesOf, ShortPlaces } from './short-places.js';

const computations: Computations = { module: new URL('file:///none'), functions: {} };

test('of two threads one place, and of one too', () => {
  expect([1, 2, 3, 8].map(shortPlacesOf)).toEqual([1, 1, 2, 4]);
});

test('threads start with the first short task; data that are too large for its places go to the others', async () => {
  const start = vi.spyOn(ThreadPool, 'start');
  const others = vi.fn(() => ({
    call: () => Promise.reject(new Error('not asked')),
    withData: (): Promise<never> => Promise.resolve('by the others' as never),
  }));
  const places = new ShortPlaces(
    { store: temporaryStore(), threads: 1 },
    { compute: others as unknown as ResidentData['compute'] },
    1_600,
  );
  try {
    expect(start).not.toHaveBeenCalled();
    const arrange = (): never => {
      throw new Error('these would have room');
    };
    const request = (bytes: number): DataRequest => ({ key: 'rows', fit: () => ({ threads: 1, bytes }), arrange });
    expect(await places.compute(computations).withData(request(101), () => Promise.resolve('here'))).toBe(
      'by the others',
    );
    expect(start).toHaveBeenCalledTimes(1);
    await expect(places.compute(computations).withData(request(99), () => Promise.resolve('here'))).rejects.toThrow(
      'these would have room',
    );
    expect(start).toHaveBeenCalledTimes(1);
  } finally {
    await places.close();
  }
});
