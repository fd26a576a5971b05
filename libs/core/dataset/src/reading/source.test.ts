import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readDataset } from '../bit-files/read.js';
import { readContent, refusalOf, rowsOf } from '../bit-files/reading.suite.js';

const folder = mkdtempSync(join(tmpdir(), 'orchard-dataset-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const openFiles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

describe('sources', () => {
  it('are files, plain or gzipped, whatever their names say of that', async () => {
    const content = '0,1\n1,1\n'.repeat(200_000); // several chunks
    const plain = await readDataset(file('plain.data', content));
    expect([plain.rows, ...plain.columnCounts()]).toEqual([400_000, 200_000, 400_000]);
    expect((await readDataset(file('a.data.gz', gzipSync(content)))).equals(plain)).toBe(true);
    expect((await readDataset(file('b.data', gzipSync(content)))).equals(plain)).toBe(true);
    expect((await readDataset(file('c.data.gz', content))).equals(plain)).toBe(true);
    const halves = Buffer.concat([gzipSync('0,1\n1,'), gzipSync('1\n')]);
    expect(rowsOf(await readContent(halves, { chunkBytes: 1 }))).toEqual(['01', '11']);
  });

  it('are known by the first line where name and first bytes say nothing', async () => {
    expect((await readContent('a\tb\n0\t1\n', { name: 'upload' })).names).toEqual(['a', 'b']);
    expect((await readContent('a,b\n0,1\n', { name: 'upload' })).names).toEqual(['a', 'b']);
    expect((await readContent('a,b\n0,1\n', { name: 'x.data', format: 'csv' })).names).toEqual(['a', 'b']);
  });

  it('are standard input as "-"', async () => {
    const stdin = vi.spyOn(process, 'stdin', 'get');
    stdin.mockReturnValue(
      Readable.from([Buffer.from('0,1\n1,'), Buffer.from('0\n')]) as unknown as typeof process.stdin,
    );
    expect(rowsOf(await readDataset('-'))).toEqual(['01', '10']);
    stdin.mockReturnValue(Readable.from([Buffer.from('0,7\n')]) as unknown as typeof process.stdin);
    expect((await refusalOf(readDataset('-'))).where).toBe('standard input, line 1, column 2');
    stdin.mockRestore();
  });

  it('that cannot be read are refused', async () => {
    expect(await refusalOf(readDataset(folder))).toMatchObject({
      code: 'source',
      got: 'a directory',
      expected: 'a file',
      where: folder,
      remedy: 'Give one file, as train.csv; train, valid and test are given one by one.',
    });
    const missing = join(folder, 'none.csv');
    const error = await refusalOf(readDataset(missing));
    expect(error).toMatchObject({
      code: 'source',
      got: 'no such file',
      expected: 'a file that can be read',
      where: missing,
      remedy: 'Check the path.',
      cause: { code: 'ENOENT' },
    });
    expect((await refusalOf(readDataset(join(file('x.csv', '0\n'), 'y.csv')))).got).toBe('no such file');
  });

  it('that break off end in an error with its cause, plain and gzipped', async () => {
    const cause = new Error('connection reset');
    for (const start of [Buffer.from('0,1\n'), gzipSync('0,1\n').subarray(0, 15)]) {
      async function* broken(): AsyncGenerator<Uint8Array, void> {
        yield start;
        await Promise.reject(cause);
      }
      const error = await refusalOf(readDataset({ name: 'upload.csv', bytes: broken() }));
      expect(error).toMatchObject({
        code: 'source',
        where: 'upload.csv',
        remedy: 'Try again with the whole file.',
        cause,
      });
      expect(error.got).toBe('an error while reading (connection reset)');
    }
  });

  it('are closed after a refusal as after success', async () => {
    const bad = '0,1\n'.repeat(300_000) + '0,2\n' + '0,1\n'.repeat(300_000);
    const paths = [
      file('bad.csv', bad),
      file('bad.csv.gz', gzipSync(bad)),
      file('good.csv', '0,1\n'),
      // refused by their first bytes, before any parser has them
      file('archive.csv', 'PK\u0003\u0004' + bad),
      file('archive.csv.gz', gzipSync('PK\u0003\u0004' + bad)),
      file('short.npy', '\u0093NUMPY'),
    ];
    const before = openFiles();
    for (const path of [...paths, ...paths]) await readDataset(path).catch(() => null);
    expect(openFiles()).toBe(before);

    let closed = 0;
    async function* upload(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
      try {
        for (;;) yield await Promise.resolve(content);
      } finally {
        closed++;
      }
    }
    await refusalOf(readDataset({ name: 'x.csv', bytes: upload(Buffer.from('0,1\n0,2\n')) }));
    await refusalOf(readDataset({ name: 'x.csv', bytes: upload(gzipSync('0,1\n0,2\n')) }));
    await refusalOf(readDataset({ name: 'x.csv', bytes: upload(Buffer.from('PAR1....0,1\n')) }));
    await refusalOf(readDataset({ name: 'x.npy', bytes: upload(Buffer.from('\u0093NUMPY', 'latin1')) }));
    expect(closed).toBe(4);
  });
});
