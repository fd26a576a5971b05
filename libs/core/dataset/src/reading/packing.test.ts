import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { refusalOf, sourceOf } from '../bit-files/reading.suite.js';
import { fixture, readTable, spools } from '../table-files/opening.suite.js';
import { readFileSync } from 'node:fs';
import { openRowFile } from './row-file.js';
import { openTableFrom } from '../table-files/open-table.js';

const TEXT = 'a,b\n1,x\n2,y\n3,x\n';
const ROWS = [
  ['1', 'x'],
  ['2', 'y'],
  ['3', 'x'],
];

/** That text as bzip2 and zstd write it. */
const BZIP2 = Buffer.from('QlpoOTFBWSZTWYtvIHwAAAXZgAAQAAQ4ADAAAGAgACGgG1CDJiOZJwNIS8XckU4UJCLbyB8A', 'base64');
const ZSTD = Buffer.from('KLUv/SQQgQAAYSxiCjEseAoyLHkKMyx4Co9Q2u4=', 'base64');

/** A frame of zstd whose blocks are a zero and its count, 65,536. */
function zerosOfZstd(blocks: number): Uint8Array {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x30]);
  const block = (isLast: boolean): number[] => {
    const word = (65_536 << 3) | (1 << 1) | Number(isLast);
    return [word & 255, (word >> 8) & 255, (word >> 16) & 255, 0x30];
  };
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, i) => Buffer.from(block(i === blocks - 1)))]);
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

interface Member {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isStored?: boolean;
  readonly flags?: number;
  readonly method?: number;
}

function zipOf(...members: readonly Member[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, isStored = false, flags = 0, method = isStored ? 0 : 8 } of members) {
    const bytes = Buffer.from(content as string);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    // what both headers say of a file
    const said = Buffer.alloc(26);
    said.writeUInt16LE(20, 0);
    said.writeUInt16LE(flags, 2);
    said.writeUInt16LE(method, 4);
    said.writeUInt32LE(crc32(bytes), 10);
    said.writeUInt32LE(packed.length, 14);
    said.writeUInt32LE(bytes.length, 18);
    said.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), said, Buffer.from(name), packed]);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), said, place, Buffer.from(name));
    files.push(file);
    at += file.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, entries, end]);
}

const member = (name: string, content: Member['content'] = TEXT): Member => ({ name, content });

describe('a packed file', () => {
  it.each<[string, Uint8Array]>([
    ['gzip', gzipSync(TEXT)],
    ['bzip2', BZIP2],
    ['zstd', ZSTD],
    ['zip', zipOf(member('a.csv'))],
    ['zip without compression', zipOf({ ...member('a.csv'), isStored: true })],
    ['zip of macOS', zipOf(member('rows/', ''), member('rows/a.csv'), member('__MACOSX/rows/._a.csv', 'x'))],
  ])('is read by its content: %s', async (_, packed) => {
    for (const chunkBytes of [1, 1 << 16])
      expect(await readTable(packed, { name: 'upload', chunkBytes })).toMatchObject({
        columns: ['a', 'b'],
        rows: ROWS,
      });
    expect(spools()).toEqual([]);
  });

  it('may be of several parts, as parallel compressors write it', async () => {
    // the header that comes again is passed over
    const again = { rows: [...ROWS, ...ROWS] };
    expect(await readTable(Buffer.concat([BZIP2, BZIP2]), { header: true })).toMatchObject(again);
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7]);
    expect(await readTable(Buffer.concat([skipped, ZSTD, ZSTD]), { header: true })).toMatchObject(again);
  });

  it('is of the format that its name tells, without that of how it is packed', async () => {
    for (const extension of ['gz', 'bz2', 'zst'])
      expect((await readTable(gzipSync('a\tb,c\n1\t2,3\n'), { name: `x.tsv.${extension}` })).columns).toEqual([
        'a',
        'b,c',
      ]);
    const archive = zipOf(member('x.tsv', 'a\tb,c\n1\t2,3\n'));
    expect((await readTable(archive, { name: 'x.zip' })).columns).toEqual(['a', 'b,c']);
  });

  it('may be a Parquet file', async () => {
    const plain = await readTable(fixture('plain.parquet'));
    const archive = zipOf(member('plain.parquet', readFileSync(fixture('plain.parquet'))));
    expect((await readTable(archive, { name: 'x' })).rows).toEqual(plain.rows);
  });

  it('is refused where it ends too early, or was damaged', async () => {
    const damaged = (packed: Uint8Array, at: number): Uint8Array =>
      packed.map((byte, i) => (i === at ? byte ^ 64 : byte));
    const zip = zipOf({ ...member('a.csv'), isStored: true });
    for (const bad of [
      BZIP2.subarray(0, -6),
      damaged(BZIP2, 45),
      ZSTD.subarray(0, -6),
      ZSTD.subarray(0, 12),
      zip.subarray(0, -30),
      damaged(zip, 38),
    ])
      expect(await refusalOf(readTable(bad, { name: 'upload' }))).toMatchObject({
        code: 'format',
        got: expect.stringContaining('does not hold') as unknown,
        where: 'upload',
        remedy: 'Copy or compress the file again.',
      });
    expect(spools()).toEqual([]);
  });

  it.each<[string, Uint8Array, string]>([
    ['several files', zipOf(member('a.csv'), member('more/b.csv')), 'a zip archive of 2 files: "a.csv", "more/b.csv"'],
    [
      'very many',
      zipOf(...Array.from({ length: 9 }, (_, i) => member(`${String(i)}.csv`))),
      'a zip archive of 9 files: "0.csv", "1.csv", "2.csv", "3.csv", "4.csv", "5.csv", …',
    ],
    ['no file', zipOf(member('rows/', '')), 'a zip archive without a file'],
    ['a password', zipOf({ ...member('a.csv'), flags: 1 }), 'a zip archive with a password'],
    [
      'another compression',
      zipOf({ ...member('a.csv'), method: 14 }),
      'a zip archive compressed in a way that is not read (method 14)',
    ],
  ])('is refused as an archive with %s', async (_, archive, got) => {
    expect(await refusalOf(readTable(archive, { name: 'x.zip' }))).toMatchObject({ code: 'format', got });
  });

  it('unpacks to no more than there is room for', async () => {
    const limited = readTable(zerosOfZstd(40_000), { name: 'x', maxUnpackedBytes: 1 << 20 });
    expect(await refusalOf(limited)).toMatchObject({ code: 'limit' });
  });

  it('is refused where only other packings are unpacked', async () => {
    const file = await openRowFile(sourceOf(ZSTD, 'body'), Infinity, ['gzip']);
    expect(await refusalOf(openTableFrom(file, {}))).toMatchObject({ got: 'zstd', remedy: 'Unpack it first.' });
    await file.close();
  });

  it('is none where a text begins as one does', async () => {
    expect((await readTable('BZh1,b\n1,2\n')).columns).toEqual(['BZh1', 'b']);
  });
});
