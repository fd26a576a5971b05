import { temporaryFolder } from './testing.suite.js';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeObjectStore } from './conformance.suite.js';
import { failure } from './filesystem-errors.js';
import { FilesystemStore, listAll } from './index.js';

const folder = temporaryFolder();

describeObjectStore('the filesystem store', {
  largeObject: 20_000_000,
  open: async () => {
    const root = join(folder, 'conformance');
    return { store: await FilesystemStore.open(root), another: await FilesystemStore.open(root) };
  },
});

describe('the filesystem store', () => {
  let root: string;
  let store: FilesystemStore;
  const bytes = new Uint8Array([1, 2, 3]);
  beforeEach(async () => {
    root = await mkdtemp(join(folder, 'one-'));
    store = await FilesystemStore.open(root);
  });

  test('leaves nothing but the object behind a put, and nothing at all behind its delete', async () => {
    await store.put('a/b/c', bytes);
    expect((await readdir(root, { recursive: true })).sort()).toEqual(['.incomplete', 'a', 'a/b', 'a/b/c']);
    await store.delete('a/b/c');
    expect(await readdir(root, { recursive: true })).toEqual(['.incomplete']);
  });

  test('makes its root level by level, and refuses one where no folder can be made', async () => {
    await FilesystemStore.open(join(root, 'x/y/z'));
    expect(await readdir(join(root, 'x/y'))).toEqual(['z']);
    await writeFile(join(root, 'file'), '');
    await expect(FilesystemStore.open(join(root, 'file'))).rejects.toMatchObject({ code: 'conflict' });
    await expect(FilesystemStore.open(join(root, 'file/z'))).rejects.toMatchObject({ code: 'conflict' });
  });

  test.runIf(process.platform === 'linux')('refuses a root in a folder that answers that it is not there', async () => {
    for (const path of ['/proc/nope', '/proc/nope/store', '/proc/store']) {
      await expect(FilesystemStore.open(path)).rejects.toMatchObject({
        where: path,
        got: 'ENOENT from the file system',
      });
    }
  });

  test('never lists what crashed writers left, and clears it away when opened', async () => {
    const incomplete = join(root, '.incomplete');
    await store.put('whole', bytes);
    const dead = join(incomplete, `999999999.x.${hostname()}`);
    const living = join(incomplete, `${process.pid}.y.${hostname()}`);
    const elsewhere = join(incomplete, '1.z.other.host');
    const old = join(incomplete, '1.old.other.host');
    for (const path of [dead, living, elsewhere, old]) await writeFile(path, 'half of someth');
    await utimes(old, new Date(0), new Date(0));
    expect(await store.list('')).toMatchObject([{ name: 'whole', size: 3 }]);
    await FilesystemStore.open(root);
    expect((await readdir(incomplete)).sort()).toEqual(['1.z.other.host', `${process.pid}.y.${hostname()}`]);
  });

  test('ignores files that no name can mean', async () => {
    await writeFile(join(root, 'notes of mine.txt'), '');
    await mkdir(join(root, 'ü'));
    expect(await store.list('')).toEqual([]);
  });

  test('follows no symbolic link, to a file or out of the root', async () => {
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(root, 'link'));
    await symlink(folder, join(root, 'out'));
    await expect(store.get('link')).rejects.toMatchObject({ code: 'invalid-name' });
    await expect(store.get('out/secret')).rejects.toMatchObject({ code: 'invalid-name' });
    await expect(store.put('out/new', bytes)).rejects.toMatchObject({ code: 'invalid-name' });
    await expect(store.delete('out/secret')).rejects.toMatchObject({ code: 'invalid-name' });
    await expect(store.list('out/')).rejects.toMatchObject({ code: 'invalid-name' });
    expect(await store.list('')).toEqual([]);
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('secret');
  });

  test('says that an object cannot be named as a folder of others, nor the reverse', async () => {
    await store.put('a/b', bytes);
    await expect(store.put('a', bytes)).rejects.toMatchObject({ code: 'conflict', retryable: false });
    await expect(store.put('a/b/c', bytes)).rejects.toMatchObject({ code: 'conflict', retryable: false });
    expect(await store.get('a/b')).toEqual(bytes);
  });

  test.each([
    ['ENOSPC', 'full', true],
    ['EIO', 'unavailable', true],
    ['EACCES', 'denied', false],
    ['EROFS', 'denied', false],
    ['EOPNOTSUPP', 'unsupported', false],
  ])('tells of %s as %s, retryable: %s', (code, expected, retryable) => {
    const cause = Object.assign(new Error('from the system'), { code });
    expect(failure('a/b', cause)).toMatchObject({ code: expected, retryable, where: 'a/b', cause });
  });

  test('opens nothing where a file stands', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(FilesystemStore.open(join(root, 'file'))).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('writers in processes of their own', () => {
  /** The store as plain JavaScript, so that a bare `node` can run it. */
  async function compile(): Promise<string> {
    const out = await mkdtemp(join(folder, 'compiled-'));
    const transpile = async (source: string, target: string, names: readonly string[]): Promise<void> => {
      for (const name of names) {
        const { outputText } = ts.transpileModule(await readFile(join(source, `${name}.ts`), 'utf8'), {
          compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
        });
        await writeFile(join(target, `${name}.js`), outputText);
      }
    };
    const source = fileURLToPath(new URL('.', import.meta.url));
    await writeFile(join(out, 'package.json'), '{ "type": "module" }');
    await transpile(source, out, [
      'array-for',
      'file-bytes',
      'filesystem',
      'filesystem-errors',
      'errors',
      'folders',
      'names',
      'object-store',
      'temporaries',
    ]);
    const refusal = join(out, 'node_modules/@orchard/refusal');
    await mkdir(refusal, { recursive: true });
    await writeFile(join(refusal, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
    const refusals = join(source, '../../../core/refusal/src');
    const ofRefusal = (await readdir(refusals)).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
    await transpile(
      refusals,
      refusal,
      ofRefusal.map((name) => name.slice(0, -'.ts'.length)),
    );
    await writeFile(
      join(out, 'writer.js'),
      `import { FilesystemStore } from './filesystem.js';
       const store = await FilesystemStore.open(process.argv[2]);
       console.log('open');
       let created = 0;
       for (let n = 0; n < Number(process.argv[3]); n += 1) {
         if ((await store.put('deep/folder/' + n, new Uint8Array(50_000 + n).fill(n))) === 'created') created += 1;
       }
       console.log(created);`,
    );
    return out;
  }

  /** A process that writes objects: `begun` once it does, `created` at its end, null where it was killed. */
  function write(
    script: string,
    root: string,
    objects: number,
  ): { kill(): void; begun: Promise<unknown>; created: Promise<number | null> } {
    const child = spawn(process.execPath, [script, root, String(objects)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (data) => (output += String(data)));
    const created = new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', (code) => done(code === 0 ? Number(output.replace('open\n', '')) : null));
    });
    const begun = Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), created]);
    return { kill: () => child.kill('SIGKILL'), begun, created };
  }

  test('create every object once between them', async () => {
    const root = join(folder, 'processes');
    const script = join(await compile(), 'writer.js');
    const created = await Promise.all([0, 1, 2, 3].map(() => write(script, root, 50).created));
    expect(created.reduce((a, b) => a! + b!, 0)).toBe(50);
  });

  test('killed at any moment leave whole objects only, and the next one goes on', async () => {
    const root = join(folder, 'killed');
    const script = join(await compile(), 'writer.js');
    let killed = 0;
    for (let round = 0; round < 8; round += 1) {
      const { kill, begun, created } = write(script, root, 1_000_000);
      await begun;
      await sleep(37 * round);
      // on a busy machine none may have written anything until now
      const written = (): Promise<string[]> => readdir(join(root, 'deep/folder')).catch(() => []);
      if (round === 7) await expect.poll(written).not.toEqual([]);
      kill();
      if ((await created) === null) killed += 1;
    }
    expect(killed).toBe(8);
    const store = await FilesystemStore.open(root);
    let objects = 0;
    for await (const { name, size } of listAll(store, '')) {
      const n = Number(name.slice('deep/folder/'.length));
      expect(size).toBe(50_000 + n);
      expect((await store.get(name)).every((byte) => byte === n % 256)).toBe(true);
      objects += 1;
    }
    expect(objects).toBeGreaterThan(0);
    expect(await readdir(join(root, '.incomplete'))).toEqual([]);
    expect(await write(script, root, objects + 5).created).toBe(5);
  });
});
