import { execFile, spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { checkDocument } from '../../apps/cli/src/output/document-schemas.suite.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The built command line. */
export const main = join(root, 'apps/cli/program/main.js');

export type Split = 'train' | 'valid' | 'test';

/** A split of a data set that comes with the project. */
export function dataFile(set: 'dna' | 'mushrooms', split: Split): string {
  return join(root, 'test/data', set, `${split}.data.gz`);
}

/** The first rows of the mushrooms, a line each, and of them the first of 112 columns. */
export function mushrooms(split: Split, rows = Infinity, columns = 112): string[] {
  const lines = gunzipSync(readFileSync(dataFile('mushrooms', split)))
    .toString()
    .trimEnd()
    .split('\n');
  return lines.slice(0, rows).map((line) => line.split(',', columns).join());
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program and waits for its end; `code` is null where a signal ended it. */
export function endOf(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 2 ** 28, ...options }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout: String(stdout), stderr: String(stderr) });
    });
  });
}

/** Starts a command; `ended` waits for its end. */
export function start(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  // whatever colours the tests' environment asks for
  const env = { ...process.env, FORCE_COLOR: undefined };
  const child = spawn(process.execPath, [main, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...written }));
  });
  return { child, ended };
}

export function orchard(...args: readonly string[]): Promise<Ended> {
  return start(...args).ended;
}

/** Runs a command that is to succeed, and gives the one document that it prints, which is as its schema says. */
export async function documentOf<Document = Record<string, unknown>>(...args: readonly string[]): Promise<Document> {
  const { code, stdout, stderr } = await orchard(...args, '--json');
  if (code !== 0) throw new Error(`orchard ${args.join(' ')} ended with ${String(code)}: ${stdout}${stderr}`);
  const document = JSON.parse(stdout) as Document & object;
  checkDocument(args[0]!, document);
  return document;
}

export function sha256Of(...path: readonly string[]): string {
  return createHash('sha256')
    .update(readFileSync(join(...path)))
    .digest('hex');
}
