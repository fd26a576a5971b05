import { artefactNames } from '@orchard/pipeline';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { clusterOfTest } from '../cluster/cluster.js';
import { specimen } from '../cluster/specimens.js';
import { lacks } from '../servers/needed.js';

/** A disk of its own, which can be filled: only root may mount one. */
const folder = mkdtempSync(join(tmpdir(), 'orchard-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]).status === 0;
const filler = join(folder, 'filler');

function fill(): void {
  const { bavail, bsize } = statfsSync(folder);
  for (let bytes = bavail * bsize; bytes >= bsize; bytes >>= 1) {
    try {
      writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

describe.skipIf(lacks('redis') || !isMounted)('a disk that is full', () => {
  afterAll(() => {
    spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('under the cache of data sets: they come from the store instead', async () => {
    const caps = await specimen('caps', { preset: 'paper', leaves: 8, rounds: 30 });
    fill();
    const cluster = await clusterOfTest({ store: 'folder', environment: { ORCHARD_CACHE_DIR: join(folder, 'cache') } });
    const [worker] = await cluster.crew(1);
    const run = await cluster.submit(caps);
    await cluster.done(run);
    expect(worker!.log.filter(({ msg }) => String(msg).includes('the cache on disk is of no use'))).not.toEqual([]);
    await cluster.expectSameBytes(run, caps);
    rmSync(filler);
  });

  test(
    'under the store: checkpoints are done without, conditionals wait for space, nothing torn is left',
    { tags: 'nightly' },
    async () => {
      const dna = await specimen('dna', { preset: 'paper', leaves: 16, rounds: 250, refit: false });
      const root = join(folder, 'store');
      const cluster = await clusterOfTest({ store: root, environment: { ORCHARD_CHECKPOINT_SECONDS: '0.02' } });
      const crew = await cluster.crew(1);
      const run = await cluster.submit(dna);
      await cluster.until(run, 'it trains', ({ stages }) => (stages.train?.done ?? 0) > 2);
      fill();
      const said = (text: string): number =>
        crew.flatMap(({ log }) => log).filter(({ msg }) => String(msg).includes(text)).length;
      await cluster.until(run, 'a checkpoint fails', () => said('a checkpoint could not be stored') > 0);
      await cluster.until(run, 'conditionals find no space', () => said('the job is handed back') > 1);
      rmSync(filler);
      const status = await cluster.done(run);
      expect(status.quarantined).toEqual([]);
      await cluster.expectSameBytes(run, dna);
      expect(await cluster.names(artefactNames.checkpoints(run))).toEqual([]);
    },
  );
});
