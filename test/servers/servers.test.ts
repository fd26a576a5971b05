import { folderOfTest } from '@orchard/storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRedis, startS3, type Server } from '../../infra/servers/index.mjs';
import { lacks } from './needed.js';
import { isAlive } from './is-alive.js';

const running: Server[] = [];
const started = async <T extends Server>(server: Promise<T>): Promise<T> => {
  running.push(await server);
  return await server;
};
afterEach(() => Promise.all(running.splice(0).map((server) => server.stop())));

/** Sends one inline command to a Redis and returns the beginning of its answer. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.once('error', reject).once('data', (data) => {
      socket.destroy();
      resolve(String(data).trim());
    });
  });
}

async function isGoneSoon(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 7000 && isAlive(pid); waited += 50) await sleep(50);
  return !isAlive(pid);
}

describe.skipIf(lacks('redis'))('a Redis of our own', () => {
  test('answers, refuses to evict, and is gone after stop', async () => {
    const redis = await startRedis({ own: true });
    expect(redis.url).toBe(`redis://127.0.0.1:${redis.port!}`);
    expect(await ask(redis.port!, 'PING')).toBe('+PONG');
    expect(await ask(redis.port!, 'CONFIG GET maxmemory-policy')).toContain('noeviction');
    await redis.stop();
    if (redis.pid !== null) expect(isAlive(redis.pid)).toBe(false);
    await expect(ask(redis.port!, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('started again on its port and folder has what it had', async () => {
    const directory = folderOfTest();
    const first = await startRedis({ own: true, appendOnly: true, directory });
    expect(await ask(first.port!, 'SET tree oak')).toBe('+OK');
    await first.stop();
    const second = await started(startRedis({ own: true, appendOnly: true, directory, port: first.port! }));
    expect(await ask(second.port!, 'GET tree')).toContain('oak');
    await second.stop();
  });

  test('takes a limit on its memory', async () => {
    const redis = await started(startRedis({ own: true, maxMemory: 50_000_000 }));
    expect(await ask(redis.port!, 'CONFIG GET maxmemory')).toContain('50000000');
  });

  test('on a port that is taken is refused', async () => {
    const redis = await started(startRedis({ own: true }));
    await expect(startRedis({ own: true, port: redis.port! })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('ends with the process that started it, however that ends', async () => {
    const script = `
      import { startRedis } from ${JSON.stringify(new URL('../../infra/servers/index.mjs', import.meta.url).href)};
      const redis = await startRedis({ own: true });
      console.log(JSON.stringify({ port: redis.port, pid: redis.pid }));
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) =>
      createInterface({ input: parent.stdout }).once('line', resolve),
    );
    const { port, pid } = JSON.parse(line) as { port: number; pid: number | null };
    expect(await ask(port, 'PING')).toBe('+PONG');
    parent.kill('SIGKILL');
    if (pid !== null) expect(await isGoneSoon(pid)).toBe(true);
    else await expect.poll(() => ask(port, 'PING').catch(() => 'gone')).toBe('gone');
  });

  test.runIf(existsSync('/usr/bin/setpriv'))('ends even when its guardian is killed', async () => {
    const redis = await started(startRedis({ own: true }));
    if (redis.pid === null) return; // in a container the engine is its parent
    const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${redis.pid}/status`, 'utf8'))![1]);
    process.kill(parent, 'SIGKILL');
    expect(await isGoneSoon(redis.pid)).toBe(true);
    expect(await redis.ended).toBe('was ended with its guardian');
  });
});

describe.skipIf(lacks('s3'))('an S3 server of our own', () => {
  test('answers, asks for credentials, and is gone with its data after stop', async () => {
    const s3 = await startS3({ own: true });
    const bucket = await fetch(`${s3.url}/${s3.bucket}`);
    expect(bucket.status).toBe(403);
    await s3.stop();
    if (s3.pid !== null) expect(isAlive(s3.pid)).toBe(false);
    await expect(fetch(s3.url)).rejects.toThrow();
  });
});

describe.skipIf(lacks('redis') || process.platform === 'win32')(
  'a container engine whose Redis cannot be reached',
  () => {
    let folder: string;
    beforeEach(() => {
      folder = folderOfTest();
    });

    /**
     * Starts a program where nothing is on PATH but a `docker`; `run` is what it does to run a container.
     *
     * @param first what it does whatever it is asked. @default nothing: it answers
     */
    function withEngine(
      run: string,
      args: readonly string[],
      first = ':',
    ): { child: ChildProcess; said: () => string } {
      const program = `#!/bin/sh\n: > "$0.asked"\n${first}\ncase "$1" in run) ${run || ':'} ;; esac\n`;
      writeFileSync(join(folder, 'docker'), program, { mode: 0o755 });
      const env = { ...process.env, PATH: folder, ORCHARD_TEST_CONTAINERS: '' };
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
      return { child, said: () => said };
    }
    const ended = (child: ChildProcess): Promise<number | null> =>
      new Promise((resolve) => child.once('close', (code) => resolve(code)));

    test('is passed by for the next way, and both are said', async () => {
      const script = `
      import { startRedis } from ${JSON.stringify(new URL('../../infra/servers/index.mjs', import.meta.url).href)};
      const redis = await startRedis({ own: true });
      console.log('from the', redis.source);
      await redis.stop();`;
      const { child, said } = withEngine('echo no network >&2; exit 125', ['--input-type=module', '-e', script]);
      await ended(child);
      // whether there is another depends on the machine
      expect(said()).toMatch(
        /starting \S+ in a container of docker …\n.* cannot be used: \S+ ended with code 125\.[^]*(from the (cache|path)|Could not get valkey)/,
      );
    });

    test('that answers nothing, ever, is passed by in seconds, and a signal ends the wait for it at once', async () => {
      writeFileSync(join(folder, 'podman'), '#!/bin/sh\nexec /bin/sleep 1000\n', { mode: 0o755 });
      const script = `
      import { startRedis } from ${JSON.stringify(new URL('../../infra/servers/index.mjs', import.meta.url).href)};
      const redis = await startRedis({ own: true });
      await redis.stop();
      console.log('from the', redis.source);`;
      const started = performance.now();
      const { child, said } = withEngine('', ['--input-type=module', '-e', script], 'exec /bin/sleep 1000');
      await ended(child);
      expect(said()).toMatch(/from the (cache|path)|Could not get valkey/);
      // of each engine it is asked once
      expect(performance.now() - started).toBeLessThan(40_000);
      const main = fileURLToPath(new URL('../../infra/cluster/main.mjs', import.meta.url));
      rmSync(join(folder, 'docker.asked'));
      const cluster = withEngine('', [main], 'exec /bin/sleep 1000');
      const end = ended(cluster.child);
      await expect.poll(() => existsSync(join(folder, 'docker.asked'))).toBe(true);
      cluster.child.kill('SIGTERM');
      expect(await end).toBe(0);
    });

    test('is waited for no longer than until a signal', async () => {
      const main = fileURLToPath(new URL('../../infra/cluster/main.mjs', import.meta.url));
      const { child, said } = withEngine('exec /bin/sleep 1000', [main]);
      await expect.poll(said).toContain('in a container of docker …');
      const end = ended(child);
      child.kill('SIGTERM');
      expect(await end).toBe(0);
      expect(said()).toContain('all of it has ended');
      expect(said()).not.toContain('cannot be used');
    });
  },
);
