import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { openTableFrom } from '@orchard/dataset';
import { isRefusal } from '@orchard/refusal';
import { openRowsAt } from '@orchard/pipeline';
import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startS3, type S3Server } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';

const rentals = await readFile(new URL('../../apps/cli/examples/rentals.csv', import.meta.url));
const [names, ...rows] = rentals.toString().trimEnd().split('\n');
const parquet = await readFile(
  new URL('../../libs/core/dataset/src/table-files/fixtures/snappy.parquet', import.meta.url),
);

async function rowsOf(given: string, s3 = {}): Promise<{ rows: number; format: string }> {
  const file = await openRowsAt(given, { s3 });
  try {
    const table = await openTableFrom(file, {});
    let count = 0;
    for await (const batch of table.batches()) count += batch.rows;
    return { rows: count, format: table.format };
  } finally {
    await file.close();
  }
}

async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!isRefusal(error)) throw error ?? new Error('not refused');
  return `${error.code}: ${error.got}; ${error.remedy}`;
}

describe.skipIf(lacks('s3'))('rows in a bucket', () => {
  let server: S3Server;
  let s3: object;
  beforeAll(async () => {
    server = await startS3();
    const { url: endpoint, region, accessKeyId, secretAccessKey } = server;
    const credentials = { accessKeyId, secretAccessKey };
    s3 = { endpoint, region, credentials };
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'lake' }));
    const objects: Record<string, string | Buffer> = {
      'rentals.csv': rentals,
      'sales/part-2.csv': [names, ...rows.slice(600)].join('\n'),
      'sales/part-1.csv': [names, ...rows.slice(0, 600)].join('\n'),
      'sales/_SUCCESS': '',
      'sales/deep/part-3.csv': [names, ...rows.slice(0, 7)].join('\n'),
      'typed/a.parquet': parquet,
      'typed/b.parquet': parquet,
    };
    for (const [Key, Body] of Object.entries(objects))
      await client.send(new PutObjectCommand({ Bucket: 'lake', Key, Body }));
    client.destroy();
  });
  afterAll(() => server?.stop());

  test('are read from one object, a folder and a glob, and typed ones too', async () => {
    expect(await rowsOf('s3://lake/rentals.csv', s3)).toEqual({ rows: 1000, format: 'csv' });
    expect(await rowsOf('s3://lake/sales/', s3)).toEqual({ rows: 1000, format: 'csv' });
    expect(await rowsOf('s3://lake/sales/part-[1].csv', s3)).toEqual({ rows: 600, format: 'csv' });
    expect(await rowsOf('s3://lake/sales/**/*.csv', s3)).toEqual({ rows: 1007, format: 'csv' });
    expect((await rowsOf('s3://lake/typed/*.parquet', s3)).format).toBe('parquet');
  });

  test('are the bytes of the object: a checksum that differs is refused', async () => {
    const sum = createHash('sha256').update(rentals).digest('hex');
    expect((await rowsOf(`s3://lake/rentals.csv#sha256=${sum}`, s3)).rows).toBe(1000);
    const other = sum.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(await refusalOf(rowsOf(`s3://lake/rentals.csv#sha256=${other}`, s3))).toContain(
      `damaged: bytes of SHA-256 ${sum}`,
    );
  });

  test('that are not there, or may not be read, are refused with what to do', async () => {
    expect(await refusalOf(rowsOf('s3://lake/sales', s3))).toContain('Give s3://lake/sales/ for all of these');
    expect(await refusalOf(rowsOf('s3://lake/none/*.csv', s3))).toContain('missing: no object');
    expect(await refusalOf(rowsOf('s3://no-such-lake/x.csv', s3))).toMatch(/^(missing|invalid-configuration): /);
    const credentials = { accessKeyId: server.accessKeyId, secretAccessKey: 'another' };
    expect(await refusalOf(rowsOf('s3://lake/rentals.csv', { ...s3, credentials }))).toContain('denied: ');
  });
});

describe('rows on a web server', () => {
  async function served(answer: RequestListener): Promise<string> {
    const server: Server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}/rentals.csv`;
  }
  const sum = createHash('sha256').update(rentals).digest('hex');

  test('without https need a checksum', async () => {
    const url = await served((_, response) => response.end(rentals));
    expect(await refusalOf(rowsOf(url))).toContain(
      'invalid-name: http, on which anybody on the way can change the rows',
    );
    expect((await rowsOf(`${url}#sha256=${sum}`)).rows).toBe(1000);
    expect(await refusalOf(rowsOf(`${url}#sha256=${'0'.repeat(64)}`))).toContain('damaged: ');
    await expect(rowsOf(`${url}#sha256=12`)).rejects.toThrow('64 hexadecimal digits');
  });

  test('are resumed where a connection breaks, if the server gives ranges', async () => {
    const asked: (string | undefined)[] = [];
    const url = await served((request, response) => {
      asked.push(request.headers.range);
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const headers = { etag: '"1"', 'accept-ranges': 'bytes', 'content-length': rentals.length - from };
      response.writeHead(from > 0 ? 206 : 200, headers);
      if (asked.length > 2) response.end(rentals.subarray(from));
      else response.write(rentals.subarray(from, from + 5000), () => setTimeout(() => response.destroy(), 20));
    });
    expect((await rowsOf(`${url}#sha256=${sum}`)).rows).toBe(1000);
    expect(asked).toEqual([undefined, 'bytes=5000-', 'bytes=10000-']);
  });

  test('are refused where it breaks and the server gives no ranges, or has another file by then', async () => {
    const broken = await served((_, response) => {
      response.writeHead(200, { 'content-length': rentals.length });
      response.write(rentals.subarray(0, 5000), () => setTimeout(() => response.destroy(), 20));
    });
    expect(await refusalOf(rowsOf(`${broken}#sha256=${sum}`))).toContain('that does not give the rest of a file');
    let asked = 0;
    const other = await served((_, response) => {
      response.writeHead(200, { etag: `"${asked++}"`, 'accept-ranges': 'bytes', 'content-length': rentals.length });
      response.write(rentals.subarray(0, 5000), () => setTimeout(() => response.destroy(), 20));
    });
    expect(await refusalOf(rowsOf(`${other}#sha256=${sum}`))).toContain('conflict: another file');
  });

  test('that are not there, or not for everybody, are refused; what stands behind ? is in no message', async () => {
    const url = await served((request, response) => response.writeHead(request.url!.includes('key') ? 403 : 404).end());
    expect(await refusalOf(rowsOf(`${url}#sha256=${sum}`))).toContain('missing: the answer 404');
    const error: unknown = await rowsOf(`${url}?key=secret#sha256=${sum}`).catch((cause: unknown) => cause);
    expect(String(error)).toContain('the answer 403');
    expect(String(error)).not.toContain('secret');
    expect(await refusalOf(rowsOf('https://me:secret@host/x.csv'))).not.toContain('secret');
  });
});
