import { readDataset } from '@orchard/dataset';
import { FilesystemStore, listAll, type ObjectStore } from '@orchard/storage';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { registerDataset } from './index.js';
import type { RunDatasets } from './index.js';

/** A store in a folder that goes with the test. */
export async function temporaryStore(): Promise<FilesystemStore> {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-pipeline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return FilesystemStore.open(folder);
}

/** Every object of a store and the SHA-256 of its bytes. */
export async function contentOf(store: ObjectStore): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for await (const { name } of listAll(store, '')) {
    content[name] = createHash('sha256')
      .update(await store.get(name))
      .digest('hex');
  }
  return content;
}

/**
 * The splits of a standard set that lies in the project, registered in a store.
 *
 * @param columns those that are kept, in this order. @default all
 */
export async function standardDatasets(
  store: ObjectStore,
  name: 'dna' | 'mushrooms',
  columns?: readonly number[],
): Promise<RunDatasets> {
  const folder = fileURLToPath(new URL(`../../../../test/data/${name}`, import.meta.url));
  const read = async (split: string) => {
    const matrix = await readDataset(join(folder, `${split}.data.gz`));
    return registerDataset(store, columns === undefined ? matrix : matrix.selectColumns(columns));
  };
  return { train: await read('train'), valid: await read('valid'), test: await read('test') };
}
