import { temporaryFolder } from '@orchard/storage/testing';
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../infra/cluster/data-folder.mjs';
import { lacks } from '../servers/needed.js';

const folder = temporaryFolder();
let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(folder, 'kept-'));
});

// that clusters find in it what earlier ones stored is tested where clusters are ended:
// test/api/cluster-command.test.ts
describe.skipIf(lacks('s3'))('the folder of a cluster', () => {
  it('is of one process at a time, and free when that lets go of it', async () => {
    const first = await openDataFolder(path);
    const inUse = new RegExp(
      `^a folder in use by the cluster of process ${String(process.pid)}, expected one that is free`,
    );
    await expect(openDataFolder(path)).rejects.toThrow(inUse);
    first.release();
    const second = await openDataFolder(path);
    expect(second.token).toBe(first.token);
    second.release();
  });

  it('is free too when its process was killed, but not when that may run on another machine', async () => {
    (await openDataFolder(path)).release();
    const holder = { host: hostname(), pid: process.pid, port: 1, sign: 'x' };
    await writeFile(join(path, 'in-use.json'), JSON.stringify({ ...holder, host: 'elsewhere' }));
    await expect(openDataFolder(path)).rejects.toThrow(/in use by process \d+ of elsewhere, .* remove .*in-use\.json/);
    await writeFile(join(path, 'in-use.json'), JSON.stringify(holder));
    (await openDataFolder(path)).release();
  });

  it('shows its tokens to nobody else', async () => {
    const { token, release } = await openDataFolder(path);
    release();
    expect(await readFile(join(path, 'cluster.json'), 'utf8')).toContain(token);
    expect((await stat(join(path, 'cluster.json'))).mode & 0o077).toBe(0);
  });

  it('is not one of something else, a file, one of another release, or below what is not there', async () => {
    await writeFile(join(path, 'thesis.tex'), '');
    await expect(openDataFolder(path)).rejects.toThrow(/^a folder of something else, with thesis\.tex, expected/);
    expect(await readdir(path)).toEqual(['thesis.tex']);
    await expect(openDataFolder(join(path, 'thesis.tex'))).rejects.toThrow(/^a file, expected/);
    await expect(openDataFolder(join(path, 'no', 'where'))).rejects.toThrow(/cannot be made or written to \(ENOENT/);
    const later = join(path, 'later');
    await mkdir(later);
    await writeFile(
      join(later, 'cluster.json'),
      '{ "format": 2, "server": "versitygw", "token": "a", "readToken": "b" }',
    );
    await expect(openDataFolder(later)).rejects.toThrow(
      /^a folder whose cluster\.json is damaged or of another release/,
    );
    expect(await readdir(later)).toEqual(['cluster.json']);
  });
});
