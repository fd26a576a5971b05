import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startRedis, type RedisServer } from '../../infra/servers/index.mjs';
import { lacks } from '../servers/needed.js';
import { endAll, outputOf, startProgram, type Program } from './programs.js';

const password = 'a-valid-password-of-redis';
const kinds = ['worker', 'selector', 'coordinator'] as const;

describe.skipIf(lacks('redis'))('a Redis that refuses', () => {
  let redis: RedisServer;
  /** Connected before the server refuses anybody. */
  let admin: Redis;
  let folder: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    redis = await startRedis({ own: true });
    admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', password);
    folder = await mkdtemp(join(tmpdir(), 'orchard-password-'));
    environment = {
      ORCHARD_REDIS_PREFIX: `{test-${randomBytes(4).toString('hex')}}`,
      ORCHARD_STORE: join(folder, 'store'),
      ORCHARD_CACHE_DIR: join(folder, 'cache'),
      ORCHARD_HEALTH_PORT: '0',
      ORCHARD_PORT: '0',
      ORCHARD_LOG_LEVEL: 'trace',
    };
  });
  afterAll(async () => {
    admin.disconnect();
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const urlWith = (given: string): string => redis.url.replace('://', `://:${given}@`);

  test.each(kinds)('a wrong password of a %s is in no log, which says what to correct', async (kind) => {
    const said = await outputOf(kind, { ...environment, ORCHARD_REDIS_URL: urlWith('another-password') });
    expect(said).toContain('WRONGPASS');
    expect(said).toContain('Correct user and password in ORCHARD_REDIS_URL');
    expect(said).not.toContain('another-password');
    const without = await outputOf(kind, { ...environment, ORCHARD_REDIS_URL: redis.url });
    expect(without).toContain('NOAUTH');
  });

  test('the right one is in no log, also of programs that run while it is changed', async () => {
    const programs: Program[] = [];
    onTestFinished(() => endAll(programs));
    const url = urlWith(password);
    for (const kind of kinds) programs.push(await startProgram(kind, { ...environment, ORCHARD_REDIS_URL: url }));
    const said = (word: string) => () =>
      programs.map(({ kind, text }) => [kind, text().includes(word)] as const).filter(([, isSaid]) => !isSaid);
    await admin.config('SET', 'requirepass', 'changed-meanwhile');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await expect.poll(said('WRONGPASS')).toEqual([]);
    for (const { kind, text } of programs) expect([kind, text().includes(password)]).toEqual([kind, false]);
  });

  test('a server that knows no AUTH repeats the password, and no log does', async () => {
    const stranger = await startRedis({
      own: true,
      flags: ['--rename-command', 'AUTH', '', '--rename-command', 'HELLO', ''],
    });
    onTestFinished(() => stranger.stop());
    const url = stranger.url.replace('://', `://:${password}@`);
    for (const kind of kinds) {
      const said = await outputOf(kind, { ...environment, ORCHARD_REDIS_URL: url });
      expect(said).toContain('unknown command');
      expect(said).not.toContain(password);
    }
  });
});
