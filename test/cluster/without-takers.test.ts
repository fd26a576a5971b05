import { artefactNames } from '@orchard/pipeline';
import { describe, expect, test } from 'vitest';
import { lacks } from '../servers/needed.js';
import { clusterOfTest } from './cluster.js';
import { specimen } from './specimens.js';
import { strangePrograms } from './strange-programs.js';

const words = { preset: 'paper', leaves: 2, rounds: 2, refit: false } as const;

describe.skipIf(lacks('redis'))('where the programs of a pool are gone', () => {
  test('a run is assembled by a worker, though its assembly was to be that of a selector', async () => {
    const caps = await specimen('caps', words);
    const cluster = await clusterOfTest({ store: 'folder' });
    cluster.runs.reconciler.start();
    const [selector] = await Promise.all([cluster.add('selector'), cluster.add('worker')]);
    await cluster.passes(1);
    // it announces itself no more, and counts as there for a while
    selector!.kill('SIGSTOP');
    const run = await cluster.submit(caps);
    const waits = async (): Promise<boolean> => (await cluster.queues.jobs('selector')).length > 0;
    await cluster.until(run, 'a selector is to take it', waits);
    selector!.kill('SIGKILL');
    await cluster.done(run);
    await cluster.expectSameBytes(run, caps);
  });

  test('a run that is deleted is removed, though a worker had some of its tasks', async () => {
    const caps = await specimen('caps', words);
    const cluster = await clusterOfTest({ store: 'folder' });
    cluster.runs.reconciler.start();
    const worker = await cluster.add('worker', strangePrograms.slowResults);
    const run = await cluster.submit(caps);
    await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.active ?? 0) > 0);
    worker.kill('SIGKILL');
    await worker.ended;
    await cluster.runs.life.remove(run);
    const removed = (): Promise<unknown> => cluster.runs.life.status(run).catch(({ code }: { code: string }) => code);
    await expect.poll(removed, { interval: 100 }).toBe('unknown-run');
    expect(await cluster.names(artefactNames.run(run))).toEqual([]);
    expect(await cluster.queues.jobs()).toEqual([]);
  });
});
