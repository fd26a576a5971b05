import { temporaryFolder } from '@orchard/storage/testing';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { dataFile, root, type Ended } from './orchard.js';
import { isAlive } from '../servers/is-alive.js';

const folder = temporaryFolder();

/**
 * `npm run --silent orchard -- …`, called in a folder that is not the clone, at the head of a process group as a shell
 * would have it.
 */
function npm(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn('npm', ['run', '--silent', '--prefix', root, 'orchard', '--', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, ...written }))) };
}

/** A training that takes minutes, once its first checkpoint may be there. */
async function startLongTraining(): Promise<ReturnType<typeof npm> & { readonly programs: readonly number[] }> {
  const valid = ['--valid', dataFile('dna', 'valid')];
  const long = ['--out', 'long', '--rounds', '5000', '--leaves', '64', '--threads', '1'];
  const started = npm('train', dataFile('dna', 'train'), ...valid, ...long);
  let said = '';
  started.child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said, { interval: 50 }).toContain('orchard: training');
  const programs = execFileSync('ps', ['-o', 'pid=', '--ppid', String(started.child.pid)], { encoding: 'utf8' });
  return { ...started, programs: programs.trim().split(/\s+/).map(Number) };
}

describe('behind npm', () => {
  it('paths are those of the folder in which npm was called, and stdout is the document alone', async () => {
    await writeFile(join(folder, 'rows.csv'), `a,b\n${'0,1\n1,0\n'.repeat(20)}`);
    const { code, stdout } = await npm('train', 'rows.csv', '--out', 'run', '--rounds', '2', '--json').ended;
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as { network: { path: string } };
    expect(document.network.path).toBe(join('run', 'network.msgpack'));
    expect(readFileSync(join(folder, document.network.path)).length).toBeGreaterThan(0);
  });

  it('a refusal is one line, without what npm has to say about it', async () => {
    const { code, stdout, stderr } = await npm('train', 'nosuch.csv', '--out', 'none', '--quiet').ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const lines = stderr.split('\n').filter((line) => line !== '' && !/^npm warn .* config/.test(line));
    expect(lines).toEqual([expect.stringContaining('orchard: ')]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('training ends when npm gets %s', async (signal) => {
    const { child, ended, programs } = await startLongTraining();
    expect(programs).toHaveLength(1);
    child.kill(signal);
    const { stderr } = await ended;
    await expect.poll(() => programs.some(isAlive), { interval: 50 }).toBe(false);
    expect(stderr).toContain('What is done is kept in');
  });

  it('one Ctrl-C is one, though the terminal and npm both send it: what is done is kept', async () => {
    const { child, ended, programs } = await startLongTraining();
    process.kill(-child.pid!, 'SIGINT');
    const { stderr } = await ended;
    await expect.poll(() => programs.some(isAlive)).toBe(false);
    expect(stderr).toContain('What is done is kept in');
  });
});

it('a program that leaves others behind is ended with all of them', { tags: 'nightly' }, async () => {
  // its child hears no SIGTERM, as a hung one would not
  const deaf = `process.on('SIGTERM', () => 0); setInterval(() => 0, 1000); console.log(process.pid)`;
  const source = `import { spawn } from 'node:child_process';
    spawn(process.execPath, ['--eval', ${JSON.stringify(deaf)}], { stdio: 'inherit' });`;
  const group = `import { runAsGroup } from ${JSON.stringify(join(root, 'infra/process-group.mjs'))};
    const { code } = await runAsGroup(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(source)}], { stdio: 'inherit' });
    process.exit(code);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', group], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(128 + 15);
  // dead at once; until process 1 has taken note of it there is still a number
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it('every script takes the place of its shell, so that it hears what npm is told', () => {
  for (const [name, command] of Object.entries(packageFile.scripts)) {
    expect(`${name}: ${command}`).toMatch(/: exec \S+ [^&|;]*$/);
  }
});

it.each(['README.md', 'apps/cli/README.md'])('%s shows no command that prints the banner of npm', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const commands = text.match(/npm run [^`\n]*?\borchard\b/g) ?? [];
  for (const command of commands) expect(command).toMatch(/^npm run (-s|--silent) (--prefix \S+ )?orchard$/);
});
