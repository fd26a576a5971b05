import { lbarnNames } from '@orchard/lbarn';
import { artefactNames, documentBytes } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { runIdOf } from '@orchard/contracts';
import { openRuns } from '@orchard/runs';
import { describe, expect, test } from 'vitest';
import { clusterOfTest, type Cluster } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';
import { flippedAt } from './bit-rot.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Text in the place of other text, as long as it. */
const replaced =
  (text: RegExp, by: (found: string) => string) =>
  (bytes: Uint8Array): Uint8Array => {
    const before = Buffer.from(bytes).toString('utf8');
    const after = before.replace(text, by);
    expect(after).not.toBe(before);
    return Buffer.from(after, 'utf8');
  };
/** The last bit of a digit: still a digit, still a document. */
const otherDigit = (found: string): string => found.replace(/\d/, (digit) => String(Number(digit) ^ 1));

describe.skipIf(lacks('redis'))('a stored object whose bytes have changed', () => {
  async function expectFailedBy(cluster: Cluster, run: string, name: string): Promise<void> {
    const { reason } = await cluster.until(run, 'it has failed', ({ state }) => state === 'failed');
    expect(reason).toContain(name);
    expect(reason).toMatch(/(Delete|Run|Repair|Register|again)/);
  }

  // test/api/damaged-objects.test.ts has one every time
  const title = 'a conditional ends the run and is named; repaired it ends in the same bytes';
  test(title, { tags: 'nightly' }, async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 4, rounds: 4, refit: false });
    const cluster = await clusterOfTest({ store: 'folder' });
    cluster.runs.reconciler.start();
    await cluster.add('worker');
    const run = await cluster.submit(mushrooms);
    await cluster.until(run, 'all is trained', ({ state }) => state === 'selecting');
    const name = lbarnNames.conditional(run, 17);
    await cluster.alter(name, flippedAt(0.5));
    await cluster.add('selector');
    await expectFailedBy(cluster, run, name);
    expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [name], datasets: [] });
    await cluster.done(run);
    await cluster.expectSameBytes(run, mushrooms);
  });

  const selectionEndsItsRun = async (alter: (bytes: Uint8Array) => Uint8Array): Promise<void> => {
    const words = { preset: 'paper', leaves: 4, rounds: 4, select: 'common' } as const;
    const caps = await specimen('caps', { ...words, refit: false });
    const refitted = await specimen('caps', { ...words, refit: true });
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(1);
    const run = await cluster.submit(caps);
    await cluster.done(run);
    const name = lbarnNames.selection(run, 'common');
    await cluster.alter(name, alter);
    await cluster.runs.life.select(run, refitted.choice);
    await expectFailedBy(cluster, run, name);
    expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [name], datasets: [] });
    await cluster.done(run);
    await cluster.expectSameBytes(run, refitted);
  };
  test('a selection of which a digit is another ends the run and is named; repaired it ends in the same bytes', () =>
    selectionEndsItsRun(replaced(/"rounds":\[\d/, otherDigit)));
  test('a selection that is no document any more, likewise', { tags: 'nightly' }, () =>
    selectionEndsItsRun(replaced(/^\{/, () => ';')),
  );

  test('a report is noticed by repair, which has it drawn again to the same bytes', { tags: 'nightly' }, async () => {
    const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 2, rounds: 2, refit: false });
    const cluster = await clusterOfTest({ store: 'folder' });
    await cluster.crew(1);
    const run = await cluster.submit(mushrooms);
    await cluster.done(run);
    expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [], datasets: [] });
    const name = artefactNames.report(run, mushrooms.wanted);
    const before = await cluster.store.get(name);
    await cluster.alter(name, flippedAt(0.5));
    expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [name], datasets: [] });
    await cluster.done(run);
    expect(Buffer.compare(await cluster.store.get(name), before)).toBe(0);
    await cluster.expectSameBytes(run, mushrooms);
    // of a run that is done a conditional is dropped, and made again for the next network that needs it
    const conditional = lbarnNames.conditional(run, 17);
    await cluster.alter(conditional, flippedAt(0.5));
    expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [conditional], datasets: [] });
    await cluster.done(run);
    expect(await cluster.names(conditional)).toEqual([]);
    await cluster.expectSameBytes(run, mushrooms, [conditional]);
    await cluster.runs.life.select(run, { selection: 'individual', refit: false });
    await cluster.done(run);
    await cluster.expectSameBytes(run, mushrooms);
  });

  const endsItsRun = async (isReadByAll: boolean): Promise<void> => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 4, rounds: 4, refit: false });
    const cluster = await clusterOfTest({ store: 'folder' });
    const run = runIdOf(caps.specification);
    const name = artefactNames.specification(run);
    const submit = async (): Promise<unknown> => cluster.submit(caps);
    const damage = async (): Promise<unknown> =>
      cluster.store.put(name, flippedAt(0.5)(documentBytes(caps.specification)));
    if (isReadByAll) {
      await submit();
      await cluster.runs.reconciler.reconcileOnce();
      await cluster.store.delete(name);
      await damage();
    } else {
      await damage();
      await submit();
    }
    await cluster.crew(1);
    await expectFailedBy(cluster, run, name);
    expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [name], datasets: [] });
    await cluster.done(run);
    await cluster.expectSameBytes(run, caps);
  };
  test('a specification, read by whoever works on it, ends the run and is named; repaired it ends in the same bytes', () =>
    endsItsRun(true));
  test('a specification, read by a coordinator that has just started, likewise', { tags: 'nightly' }, () =>
    endsItsRun(false),
  );

  test(
    'the bits of a data set end the run and are named; uploaded again and resumed it ends in the same bytes',
    { tags: 'nightly' },
    async () => {
      const mushrooms = await specimen('mushrooms', { preset: 'paper', leaves: 4, rounds: 4, refit: false });
      const cluster = await clusterOfTest({ store: 'folder' });
      const run = await cluster.submit(mushrooms);
      const name = artefactNames.dataset(mushrooms.specification.train);
      await cluster.alter(name, flippedAt(0.5));
      await cluster.crew(1);
      await expectFailedBy(cluster, run, name);
      // it would fail by the same rows again
      expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [], datasets: [name] });
      expect(await cluster.runs.life.status(run)).toMatchObject({ state: 'failed' });
      await mushrooms.register(cluster.store);
      // nothing of the run itself is damaged
      expect(await cluster.runs.life.repair(run)).toMatchObject({ dropped: [], datasets: [] });
      await cluster.done(run);
      await cluster.expectSameBytes(run, mushrooms);
    },
  );

  const isTroubleOfThatRunAlone = async (alter: ((bytes: Uint8Array) => Uint8Array) | null): Promise<void> => {
    const hurt = await specimen('caps', { preset: 'paper', leaves: 4, rounds: 4, refit: false });
    const well = await specimen('caps', { preset: 'paper', leaves: 4, rounds: 4, refit: false, seed: 3 });
    const cluster = await clusterOfTest({ store: 'folder' });
    const run = await cluster.submit(hurt);
    await cluster.runs.life.select(run, { selection: 'common', refit: true });
    const name = `marks/${run}/000000`;
    if (alter === null) await cluster.store.delete(name);
    else await cluster.alter(name, alter);
    // another coordinator, which has read nothing yet
    const { store, queues } = cluster;
    const other = openRuns({ store, queues, families, log: quiet }, { passSeconds: 1 });
    other.reconciler.start();
    try {
      await Promise.all([cluster.add('worker'), cluster.add('selector')]);
      await well.register(store);
      const { id } = await other.life.submit(well.specification, well.choice);
      await cluster.done(id);
      await cluster.expectSameBytes(id, well);
      const { runs } = await other.life.list();
      expect(runs.map((one) => [one.id, one.state]).sort()).toEqual(
        [
          [run, 'failed'],
          [id, 'done'],
        ].sort(),
      );
      expect(runs.find((one) => one.id === run)!.reason).toContain(name);
      await expect(other.life.status(run)).rejects.toMatchObject({ code: 'damaged-record' });
      // whoever read the mark before has stored no run under another name
      const known = new Set([run, id, runIdOf(hurt.specification)]);
      expect((await cluster.names(artefactNames.runs)).filter((stored) => !known.has(stored.split('/')[1]!))).toEqual(
        [],
      );
      await other.life.remove(run);
      await cluster.until(id, 'it is removed', async () => (await other.life.list()).runs.length === 1);
      expect(await cluster.names(`marks/${run}/`)).toEqual([]);
      expect(await other.life.submit(hurt.specification, hurt.choice)).toMatchObject({ id: run, created: true });
      await cluster.done(run);
      await cluster.expectSameBytes(run, hurt);
    } finally {
      await other.reconciler.stop();
    }
  };
  test('a first mark of which a digit is another is that run’s trouble alone: it is listed as failed, and can be deleted', () =>
    isTroubleOfThatRunAlone(replaced(/"rounds":\d/, otherDigit)));
  test('a first mark that is missing, likewise', { tags: 'nightly' }, () => isTroubleOfThatRunAlone(null));
});
