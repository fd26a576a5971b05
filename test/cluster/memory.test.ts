import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import { specimen } from './specimens.js';

describe.skipIf(lacks('redis'))('memory', () => {
  test('that no worker has is said by the run; a worker that has it does the work, though others keep refusing', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 8, rounds: 30, refit: false });
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_MEMORY_BYTES: '100000' } });
    await cluster.crew(1);
    const run = await cluster.submit(caps);
    const status = await cluster.until(run, 'it says so', ({ notices }) => notices.length > 0);
    expect(status.notices[0]).toMatch(
      /^No worker has the memory for this run: it needs [\d.]+ MiB, the largest worker has [\d.]+ MiB\. \(since \d{4}-.*Z\)$/,
    );
    expect(status.waits[0]).toMatchObject({ code: 'no-memory' });
    expect(status.quarantined).toEqual([]);
    await cluster.add('worker', { ORCHARD_MEMORY_BYTES: String(2 ** 30) });
    const { notices, waits, quarantined } = await cluster.done(run);
    expect({ notices, waits, quarantined }).toEqual({ notices: [], waits: [], quarantined: [] });
    await cluster.expectSameBytes(run, caps);
  });
});
