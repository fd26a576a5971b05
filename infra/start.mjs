// What npm's scripts run: node infra/start.mjs [--here] [--group] PROGRAM [ARGUMENTS]
//
// Makes the clone runnable, then becomes the program. It ends when npm does, however that happens: a shell between the
// two passes no signal on, so the scripts `exec` this, and for npm's death without a word the parent is watched.
//   --here   relative paths are those of the folder in which npm was called, not of the clone
// --group a program that does not end what it started (Vitest, benchmarks): in a process group, which is ended with it
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How soon the parent's end is noticed, in milliseconds. */
const LOOK_EVERY = 250;

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const at = given.findIndex((argument) => !argument.startsWith('--'));
const how = given.slice(0, at);
const program = join(root, given[at]);
const args = given.slice(at + 1);

const parent = process.ppid;
const looking = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(looking);
  process.kill(process.pid, 'SIGTERM');
}, LOOK_EVERY);
looking.unref();

// the program's own arguments from here on: setup looks for --quiet among them
process.argv = [process.execPath, program, ...args];
await import('./setup.mjs');
const { INIT_CWD: calledFrom } = process.env;
if (how.includes('--here') && calledFrom) process.chdir(calledFrom);
if (how.includes('--group')) {
  const { runAsGroup } = await import('./process-group.mjs');
  const { code } = await runAsGroup(process.execPath, [...process.execArgv, program, ...args], { stdio: 'inherit' });
  process.exit(code);
}
await import(pathToFileURL(program).href);
