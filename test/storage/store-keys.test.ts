import { temporaryFolder } from '@orchard/storage/testing';
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findS3, startS3, type S3Server } from '../../infra/servers/index.mjs';
import { allowed, attempt, type StoreProgram } from '../../infra/store-keys/attempts.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const secrets = { coordinator: 'c'.repeat(24), selector: 's'.repeat(24), worker: 'w'.repeat(24) };
let server: S3Server;
const bin = temporaryFolder();

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
  const { command } = (await findS3({ own: true, server: 'versitygw' })) as unknown as { command: string };
  symlinkSync(command, join(bin, 'versitygw'));
  // twice: whoever starts the cluster again has the users already
  for (let time = 0; time < 2; time++) run('sh', ['infra/store-keys/versitygw.sh']);
  run(process.execPath, ['infra/store-keys/versitygw-rights.mjs']);
});
afterAll(() => server?.stop());

test.each(Object.keys(allowed) as StoreProgram[])(
  'the key of the %s may do what it needs, and no more',
  async (program) => {
    expect(await attempt(server, program, secrets[program])).toEqual(allowed[program]);
  },
);
