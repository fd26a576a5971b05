import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findS3, startS3, type S3Server } from '../../infra/servers/index.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const secrets = { coordinator: 'c'.repeat(24), selector: 's'.repeat(24), worker: 'w'.repeat(24) };
let server: S3Server;
let bin: string;

/** Does to a server what the compose file does with the same scripts. */
function run(command: string, args: string[]): void {
  const env = {
    PATH: `${bin}:${process.env['PATH']}`,
    S3_ENDPOINT: server.url,
    S3_BUCKET: server.bucket,
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
    COORDINATOR_S3_SECRET: secrets.coordinator,
    SELECTOR_S3_SECRET: secrets.selector,
    WORKER_S3_SECRET: secrets.worker,
  };
  const { status, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
}

beforeAll(async () => {
  server = await startS3({ own: true, server: 'versitygw' });
  bin = mkdtempSync(join(tmpdir(), 'orchard-bin-'));
  const { command } = (await findS3({ own: true, server: 'versitygw' })) as unknown as { command: string };
  symlinkSync(command, join(bin, 'versitygw'));
  // twice: whoever starts the cluster again has the users already
  for (let time = 0; time < 2; time++) run('sh', ['infra/store-keys/versitygw.sh']);
  run(process.execPath, ['infra/store-keys/versitygw-rights.mjs']);
});
afterAll(async () => {
  if (bin !== undefined) rmSync(bin, { recursive: true });
  await server?.stop();
});

test.each([
  ['coordinator', ['put', 'get', 'list', 'delete a checkpoint', 'delete a conditional', 'write an audit record']],
  ['selector', ['put', 'get', 'list', 'delete a checkpoint']],
  ['worker', ['put', 'get', 'list', 'delete a checkpoint']],
] as const)('the key of the %s may do what it needs, and no more', async (program, allowed) => {
  const client = new S3Client({
    endpoint: server.url,
    region: server.region,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: `orchard-${program}`, secretAccessKey: secrets[program] },
  });
  const own = { Bucket: server.bucket, Key: `runs/x/conditionals/${program}` };
  const checkpoint = { Bucket: server.bucket, Key: `runs/x/checkpoints/3/${program}` };
  await client.send(new PutObjectCommand({ ...checkpoint, Body: 'x' }));
  const done: string[] = [];
  const attempt = async (what: string, send: () => Promise<unknown>): Promise<void> => {
    await send().then(
      () => done.push(what),
      (error: Error) => expect(error.name).toBe('AccessDenied'),
    );
  };
  await attempt('put', () => client.send(new PutObjectCommand({ ...own, Body: 'x' })));
  await attempt('get', () => client.send(new GetObjectCommand(own)));
  await attempt('list', () => client.send(new ListObjectsV2Command({ Bucket: server.bucket })));
  await attempt('delete a checkpoint', () => client.send(new DeleteObjectCommand(checkpoint)));
  await attempt('delete a conditional', () => client.send(new DeleteObjectCommand(own)));
  const record = { Bucket: server.bucket, Key: `audit/2026/11/22/${program}` };
  await attempt('write an audit record', () => client.send(new PutObjectCommand({ ...record, Body: 'x' })));
  // of the coordinator the one that it has written, of the others one that might be there
  await attempt('delete an audit record', () => client.send(new DeleteObjectCommand(record)));
  await attempt('change rights', () =>
    client.send(new PutBucketPolicyCommand({ Bucket: server.bucket, Policy: '{}' })),
  );
  expect(done).toEqual(allowed);
  client.destroy();
});
