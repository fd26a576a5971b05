import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { listAll, type ObjectStore } from './index.js';
import { MemoryStore } from './memory-store.suite.js';

const makeFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'orchard-test-')));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A folder that goes with the tests of a file, or of the `describe` that asks for it. */
export function temporaryFolder(): string {
  const folder = makeFolder();
  afterAll(() => remove(folder));
  return folder;
}

/** A folder that goes with the test. Tests and `beforeEach` ask for it. */
export function folderOfTest(): string {
  const folder = makeFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

/** A server on loopback that goes with the test. Tests and `beforeEach` ask for it. @returns its URL */
export async function serverOfTest(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** An empty store, in memory: what files do is tried by tests of files. */
export function temporaryStore(): MemoryStore {
  return new MemoryStore();
}

/** The store, of which some methods are others. */
export function storeThat(store: ObjectStore, own: Partial<ObjectStore>): ObjectStore {
  return {
    put: (name, bytes) => store.put(name, bytes),
    get: (name, range) => store.get(name, range),
    head: (name) => store.head(name),
    list: (prefix, options) => store.list(prefix, options),
    delete: (name) => store.delete(name),
    ...own,
  };
}

/** The store, in which something happens before each request: nothing is asked until it is done, or if it fails. */
export function watchedStore(
  store: ObjectStore,
  before: (method: keyof ObjectStore, args: readonly unknown[]) => unknown,
): ObjectStore {
  const methods = ['put', 'get', 'head', 'list', 'delete'] as const;
  const watched = methods.map((method) => [
    method,
    async (...args: unknown[]): Promise<unknown> => {
      await before(method, args);
      return (store as unknown as Record<string, (...own: unknown[]) => Promise<unknown>>)[method]!(...args);
    },
  ]);
  return Object.fromEntries(watched) as unknown as ObjectStore;
}

/** Every object of a store and the SHA-256 of its bytes. */
export async function contentOf(store: ObjectStore): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for await (const { name } of listAll(store, '')) {
    const bytes = await store.get(name);
    content[name] = createHash('sha256').update(bytes).digest('hex');
  }
  return content;
}
