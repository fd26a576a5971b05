import { folderOfTest } from '@orchard/storage/testing';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeWhole } from './whole-file.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = folderOfTest();
  path = join(folder, 'rows.csv');
});

async function* piecesThenFailure(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(100_000);
  // while the first piece is on the disk the name is not there, or is what it was
  seen = readdirSync(folder);
  throw new Error('the source broke off');
}
let seen: string[];

describe('a file that is written whole', () => {
  it('is there with all of its pieces, alone in its folder', async () => {
    await writeWhole(
      path,
      ['a', 'b'].map((text) => new TextEncoder().encode(text)),
    );
    expect(readFileSync(path, 'utf8')).toBe('ab');
    expect(readdirSync(folder)).toEqual(['rows.csv']);
  });

  it('is not there at all where its content breaks off, nor is anything else', async () => {
    await expect(writeWhole(path, piecesThenFailure())).rejects.toThrow('the source broke off');
    expect(seen).toHaveLength(1);
    expect(seen).not.toContain('rows.csv');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stays what it was until it is replaced, and keeps its mode', async () => {
    writeFileSync(path, 'before');
    chmodSync(path, 0o640);
    await expect(writeWhole(path, piecesThenFailure())).rejects.toThrow('the source broke off');
    expect(readFileSync(path, 'utf8')).toBe('before');
    await writeWhole(path, 'after');
    expect(readFileSync(path, 'utf8')).toBe('after');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is made with the mode that was asked for', async () => {
    await writeWhole(path, 'secret', 0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is written where a symbolic link leads, and the link stays', async () => {
    const target = join(folder, 'target.csv');
    writeFileSync(target, 'before');
    symlinkSync('target.csv', path);
    await writeWhole(path, 'after');
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('after');
  });

  it('may have the longest name that the file system takes', async () => {
    const longest = join(folder, `${'é'.repeat(125)}.csv`);
    await writeWhole(longest, 'x');
    expect(readFileSync(longest, 'utf8')).toBe('x');
  });

  it('does not take the place of a folder', async () => {
    mkdirSync(path);
    await expect(writeWhole(path, 'x')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['rows.csv']);
  });
});
