import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of the cluster as a process of its own, built as users run it. */
export interface Program {
  readonly pid: number;
  readonly kind: 'worker' | 'selector' | 'coordinator';
  /** Where it answers `/health` and `/metrics`; null for the coordinator, which has a port of its own. */
  readonly health: string | null;
  /** Its log, parsed, as far as it has written. */
  readonly log: readonly Record<string, unknown>[];
  /** All that it has written so far, as it wrote it. */
  text(): string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
}

const entries = {
  worker: fileURLToPath(new URL('../../apps/worker/program/main.js', import.meta.url)),
  selector: fileURLToPath(new URL('../../apps/selector/program/main.js', import.meta.url)),
  coordinator: fileURLToPath(new URL('../../apps/coordinator/program/main.js', import.meta.url)),
} as const;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const setpriv = '/usr/bin/setpriv';

/**
 * Starts a program and waits until it takes jobs. The kernel ends it with this process, should that be killed.
 *
 * @param host - the network namespace that it runs in, instead of the machine's own
 */
export async function startProgram(
  kind: Program['kind'],
  environment: Record<string, string>,
  host?: string,
): Promise<Program> {
  const child = spawned(kind, environment, host);
  const log: Record<string, unknown>[] = [];
  let text = '';
  let takes: ((line: Record<string, unknown>) => void) | undefined;
  const ready = new Promise<Record<string, unknown>>((resolve) => (takes = resolve));
  const read = (line: string): void => {
    text = `${text}${line}\n`.slice(-1_000_000);
    if (!line.startsWith('{')) return;
    const entry = JSON.parse(line) as Record<string, unknown>;
    log.push(entry);
    if (entry.msg === 'takes jobs' || entry.msg === 'listening') takes!(entry);
  };
  for (const input of [child.stdout!, child.stderr!]) createInterface({ input }).on('line', read);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const first = await Promise.race([ready, ended.then(() => null)]);
  if (first === null) throw new Error(`${kind} ended before it took jobs:\n${text.slice(-4_000)}`);
  return {
    pid: child.pid!,
    kind,
    health: typeof first.health === 'number' ? `http://127.0.0.1:${first.health}` : null,
    log,
    text: () => text,
    ended,
    kill: (signal) => {
      child.kill(signal);
    },
  };
}

/** All that a program writes which ends by itself: one that cannot start. */
export async function outputOf(kind: Program['kind'], environment: Record<string, string>): Promise<string> {
  const child = spawned(kind, environment);
  const chunks: Buffer[] = [];
  for (const input of [child.stdout!, child.stderr!]) input.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => child.once('close', resolve));
  running.delete(child);
  return Buffer.concat(chunks).toString();
}

function spawned(kind: Program['kind'], environment: Record<string, string>, host?: string): ChildProcess {
  const program = [process.execPath, entries[kind]];
  const command = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--', ...program] : program;
  const [file, ...args] = host === undefined ? command : ['ip', 'netns', 'exec', host, ...command];
  const child = spawn(file!, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return child;
}

/** Tasks that programs have in hand together. */
export async function inHand(...programs: readonly Program[]): Promise<number> {
  const metrics = await Promise.all(programs.map(async ({ health }) => (await fetch(`${health!}/metrics`)).text()));
  return metrics.reduce((sum, text) => sum + Number(/^orchard_jobs_in_hand (\d+)$/m.exec(text)![1]), 0);
}

/** Ends programs at once and waits until they are gone. */
export async function endAll(programs: Iterable<Program>): Promise<void> {
  const all = [...programs];
  for (const program of all) {
    program.kill('SIGCONT');
    program.kill('SIGKILL');
  }
  await Promise.all(all.map(({ ended }) => ended));
}
