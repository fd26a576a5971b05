import { temporaryFolder } from '@orchard/storage/testing';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endOf, main, orchard, root, start, type Ended } from './orchard.js';

const folder = temporaryFolder();
let rows: string;
let network: string;

beforeAll(async () => {
  rows = join(folder, 'rows.csv');
  const lines = Array.from({ length: 400 }, (_, row) => `${row & 1},${row & 1},${(row >> 1) & 1}`);
  writeFileSync(rows, `a,b,c\n${lines.join('\n')}\n`);
  const { code, stderr } = await orchard('train', rows, '--out', join(folder, 'run'), '--rounds', '5', '--quiet');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  network = join(folder, 'run/network.msgpack');
});

/** Runs a line of shell in which `orchard` is the command line. */
function shell(line: string): Promise<Ended> {
  const text = `orchard() { '${process.execPath}' '${main}' "$@"; }; ${line}`;
  return endOf('bash', ['-o', 'pipefail', '-c', text], { cwd: root });
}

/** Exit code 1, and on stderr one line that has all of these. */
function expectPlainFailure({ code, stderr }: Ended, ...parts: readonly string[]): void {
  expect(stderr.trimEnd()).not.toContain('\n');
  for (const part of ['orchard: ', ...parts]) expect(stderr).toContain(part);
  expect(code).toBe(1);
}

describe('orchard sample', () => {
  it.each([
    ['to a pipe', '| cat'],
    ['to a file of the shell', '> "$OUT" && cat "$OUT"'],
    ['by --out -', '--out - | cat'],
  ])('gives all rows %s, and not an excerpt', async (_, how) => {
    const out = join(folder, 'shell.csv');
    const { code, stdout, stderr } = await shell(
      `OUT='${out}'; orchard sample '${network}' --count 1000 --quiet ${how}`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toHaveLength(1 + 1000 + 1);
    const written = join(folder, 'own.csv');
    await orchard('sample', network, '--count', '1000', '--out', written);
    expect(readFileSync(written, 'utf8')).toBe(stdout);
  });

  it('shows a terminal the first rows, and says how many it left out, quiet or not', async () => {
    const command = `${process.execPath} ${main} sample ${network} --count 1000 --quiet`;
    const shown = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8' });
    const lines = shown.stdout.trimEnd().split(/\r?\n/);
    expect(lines).toHaveLength(1 + 100 + 1);
    expect(lines.at(-1)).toContain('900 more rows: --out FILE writes all');
  });

  it('ends quietly when its reader has seen enough', async () => {
    expect(await shell(`orchard sample '${network}' --count 300000 | head -n 2`)).toMatchObject({
      code: 0,
      stdout: 'a,b,c\n' + readFileSync(join(folder, 'own.csv'), 'utf8').split('\n')[1]! + '\n',
      stderr: '',
    });
  });
});

describe('what the disk does not take is said in one line:', () => {
  it.runIf(existsSync('/dev/full'))('standard output', async () => {
    for (const command of [`inspect '${network}'`, `sample '${network}'`, `inspect '${network}' --json`]) {
      expectPlainFailure(await shell(`orchard ${command} > /dev/full`), 'ENOSPC', 'standard output', 'Free some space');
    }
  });

  it('a file in the place of a folder', async () => {
    const path = join(rows, 'out.csv');
    expectPlainFailure(await orchard('sample', network, '--out', path), path, 'ENOTDIR', 'Name a place');
  });

  it('a reader that has gone', async () => {
    const pipe = join(folder, 'pipe.csv');
    spawnSync('mkfifo', [pipe]);
    const ended = await shell(
      `head -c 1 '${pipe}' > /dev/null & orchard sample '${network}' --count 1000000 --out '${pipe}'`,
    );
    expectPlainFailure(ended, pipe, 'EPIPE', 'write to a file');
  });

  const nobody = ['setpriv', '--reuid', '65534', '--clear-groups'];
  // who may not read the program either is told of that alone
  const canBeNobody =
    process.getuid?.() === 0 && spawnSync(nobody[0]!, [...nobody.slice(1), 'test', '-r', main]).status === 0;
  it.runIf(canBeNobody)('a folder that this user may not write to', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o755 });
    await shell(`chmod 755 '${folder}' '${join(folder, 'run')}'`);
    const as = async (...args: readonly string[]): Promise<Ended> =>
      shell(`${nobody.join(' ')} '${process.execPath}' '${main}' ${args.join(' ')}`);
    const path = join(closed, 'out.csv');
    expectPlainFailure(await as('sample', network, '--out', path), path, 'EACCES', `in ${closed}`);
    expectPlainFailure(
      await as('train', rows, '--out', closed, '--quiet'),
      closed,
      'EACCES',
      'Give this user the right',
    );
  });

  const disk = join(tmpdir(), `orchard-small-disk-${process.pid}`);
  mkdirSync(disk, { recursive: true });
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
  afterAll(async () => {
    if (isMounted) spawnSync('umount', [disk]);
    await rm(disk, { recursive: true, force: true });
  });

  it.runIf(isMounted)('a full disk, on which what was there is as it was', async () => {
    const path = join(disk, 'out.csv');
    await orchard('sample', network, '--count', '10', '--out', path);
    const before = readFileSync(path, 'utf8');
    const ended = await orchard('sample', network, '--count', '1000000', '--out', path);
    expectPlainFailure(ended, path, 'ENOSPC', 'Free some space');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(disk)).toEqual(['out.csv']);
    await shell(`cat /dev/zero > '${join(disk, 'filler')}'`);
    const run = join(disk, 'run');
    expectPlainFailure(await orchard('train', rows, '--out', run, '--quiet'), run, 'ENOSPC', 'Free some space');
  });

  it.runIf(isMounted)('a disk that can only be read', async () => {
    spawnSync('mount', ['-o', 'remount,ro', disk]);
    const path = join(disk, 'out.csv');
    expectPlainFailure(await orchard('sample', network, '--out', path), path, 'EROFS', 'another disk');
    expectPlainFailure(await orchard('train', rows, '--out', join(disk, 'other'), '--quiet'), disk, 'EROFS');
  });
});

it('a signal in the middle of a file leaves what was there, and nothing else', async () => {
  const place = join(folder, 'interrupted');
  mkdirSync(place);
  const path = join(place, 'out.csv');
  writeFileSync(path, 'before');
  const { child, ended } = start('sample', network, '--count', '9000000', '--out', path);
  await expect.poll(() => readdirSync(place).length, { interval: 5 }).toBe(2);
  child.kill('SIGTERM');
  expect((await ended).code).toBeNull();
  expect(readdirSync(place)).toEqual(['out.csv']);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

it('work goes on when nobody reads the remarks about it', async () => {
  const out = join(folder, 'unread');
  const child = spawn(process.execPath, [main, 'train', rows, '--out', out, '--rounds', '5'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.destroy();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  expect(existsSync(join(out, 'network.msgpack'))).toBe(true);
});

it('a column that is named to move the cursor is shown, and moves nothing', async () => {
  const hostile = join(folder, 'hostile.csv');
  writeFileSync(hostile, readFileSync(rows, 'utf8').replace('a,b,c', 'a\u001b[2J,b\u009b1A,c\u0007'));
  const out = join(folder, 'hostile');
  const train = await orchard('train', hostile, '--out', out, '--rounds', '5');
  const file = join(out, 'network.msgpack');
  const said = [train, await orchard('inspect', file, '--dimensions'), await orchard('importance', file)];
  said.push(await orchard('evaluate', file, rows), await orchard('inspect', file, '--json'));
  for (const { stdout, stderr } of said)
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  expect(said[1]!.stdout).toContain('a\\u001b[2J');
  // a file is for programs: its names are those of the data
  expect((await orchard('sample', file, '--count', '1')).stdout).toContain('a\u001b[2J');
});
