// Stands between a test and a server that it started. The test holds the other end of standard input: when that closes,
// because the test said stop, ended, crashed or was killed, the server is ended and its data removed. Detached from the
// terminal, so that Ctrl-C does not end it before its server. The first line of input says what to run.
import { spawn, spawnSync } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** How long a server may take to end by itself, in milliseconds. */
const grace = 5000;

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
/** @type {import('./supervise.mjs').Launch | undefined} */
let launch;
let ending = false;

const input = createInterface({ input: process.stdin });
input.once('line', (line) => {
  launch = JSON.parse(line);
  run(/** @type {import('./supervise.mjs').Launch} */ (launch));
});
input.once('close', end);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, end);
process.stdout.on('error', () => undefined);

/** @param {import('./supervise.mjs').Launch} launch */
function run({ command, args, env, log, directory }) {
  const output = openSync(log, 'a');
  server = spawn(command, args, { cwd: directory, env: { ...process.env, ...env }, stdio: ['ignore', output, output] });
  server.once('error', (error) => {
    tell({ error: error.message });
    finish();
  });
  server.once('exit', (code, signal) => {
    tell({ code, signal });
    finish();
  });
  if (server.pid) tell({ pid: server.pid });
}

function end() {
  if (ending) return;
  ending = true;
  if (!server) return finish();
  server.kill('SIGTERM');
  setTimeout(() => server?.kill('SIGKILL'), grace).unref();
}

function finish() {
  if (launch?.cleanup)
    spawnSync(launch.cleanup[0] ?? '', launch.cleanup.slice(1), { stdio: 'ignore', timeout: 30_000 });
  if (launch?.temporary) rmSync(launch.directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

/** @param {object} message */
function tell(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
