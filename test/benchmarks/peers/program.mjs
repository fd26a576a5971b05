// A trainer in a process of its own, asked by lines of JSON.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

export class Program {
  #child;
  #answers;
  name;

  constructor(name, command, args) {
    this.name = name;
    const env = { ...process.env, OMP_NUM_THREADS: '1', RUST_BACKTRACE: '0' };
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    this.#child.on('error', () => {}); // the answers end, and `ask` says so
    this.#child.stdin.on('error', () => {});
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** One request, one answer; an answer may be `{ error }`. The process must still be alive. */
  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`The program of ${this.name} ended while it was asked ${JSON.stringify(request)}.`);
    return JSON.parse(value);
  }

  close() {
    this.#child.stdin.end();
  }
}

/** Where processes can be pinned (Linux); elsewhere the system places them, and the report says so. */
export function canPin(core) {
  return spawnSync('taskset', ['-c', String(core), 'true']).status === 0;
}

/** Orchard first, then the peers, every process on the same core. */
export function startPrograms({ python, peers, core, clock }) {
  const node = [process.execPath, here('ours.mjs'), clock];
  const pinned = core === null ? node : ['taskset', '-c', String(core), ...node];
  const programs = [new Program('ours', pinned[0], pinned.slice(1))];
  const options = ['--clock', clock, ...(core === null ? [] : ['--core', String(core)])];
  for (const peer of peers) programs.push(new Program(peer, python, [here('peers.py'), peer, ...options]));
  return programs;
}
