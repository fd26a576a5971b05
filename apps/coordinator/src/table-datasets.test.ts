import { BitMatrix, type TableDocument } from '@orchard/dataset';
import { registerDataset } from '@orchard/pipeline';
import { temporaryFolder } from '@orchard/storage/testing';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { animals, animalsCsv } from './animals.suite.js';
import { overviewOf } from './datasets/dataset-documents.js';
import { problemOf, readToken, startHarness, type Harness } from './harness.suite.js';

// other processes spool too: what this one leaves behind is to be seen alone
const folder = temporaryFolder();

let harness: Harness;
let train: BitMatrix;
beforeAll(async () => {
  vi.stubEnv('TMPDIR', folder);
  harness = await startHarness({ ORCHARD_MAX_UPLOAD_BYTES: '200000', ORCHARD_MAX_MEMORY_BYTES: '100000000' });
  ({ train } = await animals());
});
afterAll(async () => {
  await harness.stop();
  vi.unstubAllEnvs();
});

const packed = { 'Content-Type': 'application/vnd.orchard.matrix' };

describe('the rows of a table', () => {
  test('are stored as they come, and their facts say the variables', async () => {
    const response = await harness.send('/v1/datasets', new Uint8Array(train.buffer), packed);
    expect(response.status).toBe(201);
    const facts = (await response.json()) as { id: string; table: TableDocument['table'] };
    expect(facts.id).toBe(train.contentHash());
    expect(facts.table.variables.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'kind: categorical',
      'large: binary',
      'toys: ordered',
      'weight: ordered',
      'born: ordered',
    ]);
    expect(await (await harness.ask(`/v1/datasets/${facts.id}`)).json()).toEqual(facts);
  });

  test('are told in lists by the number of their variables', async () => {
    const facts = await registerDataset(harness.store, train);
    const overview = overviewOf(facts);
    expect(overview).toEqual({
      id: facts.id,
      rows: 45,
      dimensions: facts.dimensions,
      names: null,
      shape: null,
      variables: 5,
      densityNats: facts.densityNats,
    });
    const bits = await registerDataset(harness.store, BitMatrix.fromRows(['01', '10']));
    expect(overviewOf(bits)).toEqual(bits);
    const listing = await startHarness(
      {},
      {
        datasets: {
          list: () => Promise.resolve({ datasets: [facts, bits], unreadable: [], next: null }),
          remove: () => Promise.resolve(),
        },
      },
    );
    try {
      const { datasets } = (await (await listing.ask('/v1/datasets')).json()) as { datasets: unknown[] };
      expect(datasets).toEqual([overview, bits]);
    } finally {
      await listing.stop();
    }
  });

  test('with a code that stands for nothing are refused, with its row and variable', async () => {
    const copy = BitMatrix.from(train.buffer.slice(0));
    // three labels, "(other)" and absence: five codes in three bits
    for (const bit of [0, 1, 2]) copy.set(7, bit, 1);
    const response = await harness.send('/v1/datasets', new Uint8Array(copy.buffer), packed);
    expect(response.status).toBe(422);
    expect(await problemOf(response)).toMatchObject({
      code: 'buffer',
      got: 'code 7',
      expected: 'a code from 0 to 4',
      where: 'body, row 8, variable "kind"',
    });
  });

  /** The same rows under another description of them. */
  const described = (edit: (header: string) => string): Uint8Array => {
    const header = Buffer.from(edit(JSON.stringify(train.columns.document)));
    const offset = 64 + Math.ceil(header.length / 8) * 8;
    const bytes = new Uint8Array(offset + train.rows * train.stride);
    bytes.set(new Uint8Array(train.buffer, 0, 64));
    bytes.set(header, 64);
    bytes.set(train.bytes, offset);
    const view = new DataView(bytes.buffer);
    view.setUint32(12, offset, true);
    view.setUint32(36, header.length, true);
    return bytes;
  };

  test('are told from others by their description alone', async () => {
    expect(
      (
        await harness.send(
          '/v1/datasets',
          described((header) => header),
          packed,
        )
      ).status,
    ).toBe(200);
    const renamed = described((header) => header.replaceAll('"toys"', '"toy"'));
    expect((await harness.send('/v1/datasets', renamed, packed)).status).toBe(201);
  });

  const deep = (n: number): string => '['.repeat(n) + ']'.repeat(n);
  test.each<[string, (header: string) => string]>([
    ['no JSON', (header) => header.slice(0, -1)],
    ['no table', () => '{"tailNats":[]}'],
    ['lists 20,000 deep', () => `{"table":${deep(20_000)},"tailNats":[]}`],
    ['a kind that is none', (header) => header.replace('"kind":"binary"', '"kind":"constructor"')],
    ['a thousand decimals', (header) => header.replace(/"decimals":2/, '"decimals":1000')],
  ])('described by %s are a 422 that says so', async (_what, edit) => {
    expect(edit(JSON.stringify(train.columns.document))).not.toBe(JSON.stringify(train.columns.document));
    const response = await harness.send('/v1/datasets', described(edit), packed);
    expect(response.status).toBe(422);
    expect(await problemOf(response)).toMatchObject({ code: 'buffer', got: expect.stringMatching(/header/) as string });
  });

  test('whose description would take more memory than there is are refused by their first bytes', async () => {
    const head = described((header) => header).slice(0, 64);
    const view = new DataView(head.buffer);
    view.setUint32(36, 190_000, true);
    view.setUint32(12, 64 + 190_000, true);
    const small = await startHarness({ ORCHARD_MAX_MEMORY_BYTES: '1000000' });
    try {
      const response = await small.send('/v1/datasets', head, packed);
      expect(response.status).toBe(413);
      expect(await problemOf(response)).toMatchObject({ got: expect.stringContaining('bytes of memory') as string });
    } finally {
      await small.stop();
    }
  });
});

describe('a libsvm body that counts from 0', () => {
  const body = '1 0:1 2:1\n0 1:1\n';
  const type = { 'Content-Type': 'application/x-libsvm' };

  test('is refused with the parameter to give, and read with it', async () => {
    const refused = await harness.send('/v1/datasets', body, type);
    expect(refused.status).toBe(422);
    expect((await problemOf(refused))['remedy']).toContain('(?zero-based=true)');
    const read = await harness.send('/v1/datasets?zero-based=true', body, type);
    expect([read.status, await read.json()]).toEqual([201, expect.objectContaining({ rows: 2, dimensions: 3 })]);
    const same = await harness.send('/v1/datasets', '0,1,2\n1,0,1\n0,1,0\n');
    expect(same.status).toBe(201);
    expect((await harness.send('/v1/datasets?zero-based=yes', body, type)).status).toBe(400);
  });
});

/** A zip archive of one file, deflated. */
function zipped(name: string, content: Buffer): Buffer {
  const data = deflateRawSync(content);
  const crc = crc32(content);
  const head = (bytes: number): Buffer => Buffer.alloc(bytes);
  const local = head(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  const central = head(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(8, 10);
  const sizes = [crc, data.length, content.length];
  sizes.forEach((value, i) => local.writeUInt32LE(value, 14 + 4 * i));
  sizes.forEach((value, i) => central.writeUInt32LE(value, 16 + 4 * i));
  local.writeUInt16LE(name.length, 26);
  central.writeUInt16LE(name.length, 28);
  const end = head(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + data.length, 16);
  return Buffer.concat([local, Buffer.from(name), data, central, Buffer.from(name), end]);
}

describe('a description', () => {
  const describeBody = (body: string | Uint8Array, query = '', headers?: Record<string, string>): Promise<Response> =>
    harness.send(`/v1/datasets?describe=true${query.replace('?', '&')}`, body, headers);
  const leftovers = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('orchard-table-'));

  test('says what each column would be, and stores nothing', async () => {
    const before = await harness.store.list('');
    const kept = await leftovers();
    const response = await describeBody(animalsCsv());
    expect(response.status).toBe(200);
    const { rows, format, variables, leftOut } = (await response.json()) as Record<string, unknown>;
    expect([rows, format, leftOut]).toEqual([60, 'csv', []]);
    expect(variables).toEqual([
      { name: 'kind', kind: 'categorical', values: 'dog, cat, horse', distinct: 3, holes: 5, warnings: [] },
      { name: 'large', kind: 'binary', values: 'no, yes', distinct: 2, holes: 0, warnings: [] },
      { name: 'toys', kind: 'ordered', values: '0 to 6, 7 values', distinct: 7, holes: 0, warnings: [] },
      expect.objectContaining({ name: 'weight', kind: 'ordered' }),
      expect.objectContaining({
        name: 'born',
        kind: 'ordered',
        values: expect.stringContaining('2019-04-14') as string,
      }),
    ]);
    expect(await harness.store.list('')).toEqual(before);
    expect(await leftovers()).toEqual(kept);
  });

  test('is the same of a gzip, and of the same rows without their kinds', async () => {
    const plain = await (await describeBody(animalsCsv())).json();
    const zipped = await describeBody(gzipSync(animalsCsv()), '', { 'Content-Type': 'application/gzip' });
    expect(await zipped.json()).toEqual(plain);
    const untyped = await describeBody(animalsCsv(), '', { 'Content-Type': 'application/octet-stream' });
    expect(await untyped.json()).toEqual(plain);
  });

  test('is of a list of objects too, which is JSON', async () => {
    const body = JSON.stringify(Array.from({ length: 20 }, (_, row) => ({ a: row % 3, b: row % 2 === 0 ? 'x' : 'y' })));
    const response = await describeBody(body, '', { 'Content-Type': 'application/json' });
    expect(await response.json()).toMatchObject({
      format: 'jsonl',
      rows: 20,
      variables: [{ name: 'a' }, { name: 'b' }],
    });
  });

  test('takes the options of the command line', async () => {
    const body = '1;2,5;-\n2;3,5;x\n1;9,5;y\n1;8,5;x\n';
    const query = '?header=no&delimiter=;&decimal=,&missing=-&names=a,b,c&types=c=categorical&exclude=a';
    const response = await describeBody(body, query);
    expect(await response.json()).toMatchObject({
      rows: 4,
      variables: [
        { name: 'b', kind: 'ordered', values: '2.5 to 9.5, 2 bins' },
        { name: 'c', kind: 'categorical', holes: 1, distinct: 2 },
      ],
      leftOut: [{ name: 'a', why: 'it was excluded' }],
    });
  });

  test.each([
    ['nothing', '', '', 422, 'empty'],
    ['a spreadsheet', 'PK\u0003\u0004xl/workbook.xml', '', 422, 'format'],
    ['rows of different lengths', 'a,b\n1,2\n1\n', '', 422, 'ragged'],
    ['a column that is not there', 'a,b\n1,x\n', '?types=c=binary', 422, 'column'],
    ['a kind that is none', 'a,b\n1,x\n', '?types=a=real', 422, 'over-limit'],
    ['a parameter that is none', 'a,b\n1,x\n', '?threshold=1', 400, 'invalid-contract'],
    ['a delimiter of two UTF-16 units', 'a,b\n1,x\n', '?delimiter=%F2%BA%B9%A5', 422, 'invalid-contract'],
    ['a delimiter of two characters', 'a,b\n1,x\n', '?delimiter=;;', 400, 'invalid-contract'],
    ['more bins than there are', 'a,b\n1,x\n', '?bins=5000', 400, 'invalid-contract'],
    ['indexes from 0', '1 0:1\n', '?format=libsvm', 422, 'value'],
    ['more than allowed', 'a,b\n'.repeat(60_000), '', 413, 'too-large'],
    ['gzip that ends early', gzipSync(animalsCsv()).subarray(0, 100), '', 422, 'truncated'],
    [
      'gzip that does not hold',
      Buffer.concat([gzipSync('a,b\n').subarray(0, 10), Buffer.alloc(50, 255)]),
      '',
      422,
      'format',
    ],
    ['a little gzip of megabytes', gzipSync('a,b\n'.repeat(1_000_000)), '', 413, 'too-large'],
    ['lines without end', 'a'.repeat(150_000), '', 422, null],
    ['a gzip of a gzip of megabytes', gzipSync(gzipSync('a,b\n'.repeat(1_000_000))), '', 413, 'limit'],
    ['an archive of megabytes', zipped('x.npy', Buffer.alloc(4_000_000)), '?format=npz', 413, 'limit'],
    [
      'JSON of lists within lists',
      `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}\n`,
      '?format=jsonl',
      422,
      'column',
    ],
    ['JSON that never closes', `{"a":${'['.repeat(150_000)}\n`, '?format=jsonl', 422, 'format'],
    ['a name twice as deep', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}\n`, '?format=jsonl', 422, 'column'],
  ])('of %s is refused', async (_what, body, query, status, code) => {
    const kept = await leftovers();
    const response = await describeBody(body, query);
    expect(response.status).toBe(status);
    const problem = await problemOf(response);
    expect(Object.keys(problem)).toEqual(expect.arrayContaining(['got', 'expected', 'remedy']));
    if (code !== null) expect(problem['code']).toBe(code);
    expect(await leftovers()).toEqual(kept);
  });

  test('of very many columns takes its memory first, and is refused where there is none', async () => {
    // of one name, too: numbering them is no work of minutes
    const columns = 40_000;
    const body = `${'a,'.repeat(columns - 1)}a\n${'1,'.repeat(columns - 1)}2\n`;
    const response = await describeBody(body, '?header=yes');
    expect(response.status).toBe(413);
    expect(await problemOf(response)).toMatchObject({ got: expect.stringContaining('bytes of memory') as string });
  });

  test('needs a token with full access', async () => {
    const response = await describeBody('a,b\n1,x\n', '', { Authorization: `Bearer ${readToken}` });
    expect(response.status).toBe(403);
  });
});
