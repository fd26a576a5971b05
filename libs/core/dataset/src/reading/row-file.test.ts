import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { refusalOf, sourceOf } from '../bit-files/reading.suite.js';
import { BATCH_ROWS } from '../table-files/raw-table.js';
import { openTable } from '../table-files/open-table.js';
import { readTable, rowsOf, spools } from '../table-files/opening.suite.js';

const folder = mkdtempSync(join(tmpdir(), 'orchard-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const fileOf = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('the file of a table', () => {
  it('is read where it lies, plain or gzipped, as often as is asked', async () => {
    for (const path of [fileOf('a.csv', 'a,b\n1,2\n'), fileOf('a.csv.gz', gzipSync('a,b\n1,2\n'))]) {
      const table = await openTable(path);
      expect(spools()).toEqual([]);
      expect(await rowsOf(table)).toEqual([['1', '2']]);
      expect(await rowsOf(table)).toEqual([['1', '2']]);
      await table.close();
    }
  });

  it('is spooled where it comes only once, until it is closed', async () => {
    const table = await openTable(sourceOf(gzipSync('a,b\n1,2\n'), 'upload'));
    expect(spools().length).toBe(1);
    expect(await rowsOf(table)).toEqual([['1', '2']]);
    expect(await rowsOf(table)).toEqual([['1', '2']]);
    await table.close();
    expect(spools()).toEqual([]);
  });

  it('is spooled where it is a pipe', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = readTable(new URL(`file://${pipe}`));
    spawn('sh', ['-c', `printf 'a,b\\n1,2\\n' > ${pipe}`], { stdio: 'ignore' });
    return expect(reading).resolves.toMatchObject({ columns: ['a', 'b'], rows: [['1', '2']] });
  });

  it('may be left in the middle of a pass', async () => {
    const path = fileOf('long.csv.gz', gzipSync(`a,b\n${'1,2\n'.repeat(100_000)}`));
    const table = await openTable(path);
    for await (const batch of table.batches()) {
      expect(batch.rows).toBe(BATCH_ROWS);
      break;
    }
    expect((await rowsOf(table)).length).toBe(100_000);
    await table.close();
  });

  it('is refused when it changes between passes', async () => {
    const path = fileOf('changing.csv', 'a,b\n1,2\n');
    const table = await openTable(path);
    await rowsOf(table);
    writeFileSync(path, 'a,b\n1,2\n3,4\n');
    expect(await refusalOf(rowsOf(table))).toMatchObject({
      code: 'source',
      got: 'a file that was changed after it was opened',
      where: path,
    });
    await table.close();
  });

  it.each([
    ['is cut short', 'a,b\n1,2\n3'],
    ['is written anew', `a,b,c\n${'7,8,9\n'.repeat(70_000)}`],
    ['is removed', null],
  ])('is refused as changed, not for its rows, when it %s while it is read', async (_, text) => {
    const path = fileOf('written-to.csv', `a,b\n${'1,2\n'.repeat(200_000)}`);
    const table = await openTable(path);
    const pass = table.batches()[Symbol.asyncIterator]();
    await pass.next();
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
    const rest = async (): Promise<void> => {
      while ((await pass.next()).done !== true);
    };
    expect(await refusalOf(rest())).toMatchObject({
      code: 'source',
      got: 'a file that was changed after it was opened',
    });
    await table.close();
  });

  it('is refused when it is not there, a folder without a file, or zipped badly', async () => {
    expect(await refusalOf(openTable(join(folder, 'none.csv')))).toMatchObject({ code: 'source', got: 'no such file' });
    expect(await refusalOf(openTable(mkdtempSync(join(tmpdir(), 'orchard-empty-'))))).toMatchObject({
      code: 'source',
      got: 'a folder without a file',
    });
    const zipped = gzipSync(`a,b\n${'1,2\n'.repeat(1000)}`);
    const short = await refusalOf(readTable(new URL(`file://${fileOf('short', zipped.subarray(0, -9))}`)));
    expect(short).toMatchObject({ code: 'truncated', where: join(folder, 'short') });
    zipped.fill(255, 20, 30);
    expect(await refusalOf(readTable(zipped, { name: 'upload' }))).toMatchObject({ code: 'format', where: 'upload' });
    expect(spools()).toEqual([]);
  });
});
