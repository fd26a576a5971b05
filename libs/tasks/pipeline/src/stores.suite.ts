import { FilesystemStore, listAll, type ObjectStore } from '@orchard/storage';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

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
