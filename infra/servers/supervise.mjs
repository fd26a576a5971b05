import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onPath } from './environment.mjs';

const guardian = fileURLToPath(new URL('guardian.mjs', import.meta.url));
/** Within which a server answers on a machine with a processor for it. */
const readyMilliseconds = 20_000;
/** Where more programs want to run than there are processors, all take longer; beyond so many times, something is wrong. */
const mostTimesLonger = 6;

/**
 * The guardian's instructions.
 *
 * @typedef {object} Launch
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string>} env
 * @property {string[]} [cleanup] - a command to run when the server has ended
 * @property {string} directory - where it keeps its data
 * @property {boolean} temporary - whether the directory is removed when it has ended
 * @property {string} log
 */

/**
 * How to run a server that has been found.
 *
 * @typedef {object} Plan
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string>} [env]
 * @property {string[]} [cleanup]
 */

/**
 * @typedef {object} Running
 * @property {number} port
 * @property {number} pid
 * @property {string} directory
 * @property {() => string} log - what it has printed so far
 * @property {Promise<string>} ended - how it ended: never rejects
 * @property {() => Promise<void>} stop - ends it and waits until it is gone
 */

/**
 * Starts a server on loopback under a guardian, and waits until it answers.
 *
 * @param {object} options
 * @param {(port: number, directory: string) => Plan} options.plan
 * @param {(port: number) => Promise<boolean>} options.isReady
 * @param {number} [options.ready] - milliseconds within which it answers on a machine with a processor for it
 * @param {number} [options.attempts] - the free port may be gone when the server asks for it
 * @param {AbortSignal | undefined} [options.signal] - ends the waiting at once
 * @param {number | undefined} options.port - a free one unless given
 * @param {string | undefined} options.directory - a temporary one unless given
 * @returns {Promise<Running>}
 */
export async function startUnderGuardian(options) {
  const {
    plan,
    isReady,
    ready = readyMilliseconds,
    attempts = 3,
    port: wantedPort,
    directory: wanted,
    signal,
  } = options;
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(wantedPort);
    const directory = wanted ?? mkdtempSync(join(realpathSync(tmpdir()), 'orchard-server-'));
    mkdirSync(directory, { recursive: true });
    const { command, args, env = {}, cleanup } = plan(port, directory);
    const launch = { ...bound(command, args), env, directory, temporary: !wanted, log: join(directory, 'server.log') };
    const server = guard(cleanup ? { ...launch, cleanup } : launch);
    const failure = await untilReady(server, () => isReady(port), ready, signal);
    if (failure === null) return { ...server, port, pid: await server.pid, directory };
    if (signal?.aborted) {
      server.abandon();
      throw signal.reason;
    }
    const output = server.log().trim().split('\n').slice(-10).join('\n');
    await server.stop();
    if (attempt >= attempts || wantedPort) throw new Error(`${command} ${failure}. It printed:\n${output}`);
  }
}

/**
 * Where the system can, the kernel itself ends the server should even the guardian be killed.
 *
 * @param {string} command
 * @param {string[]} args
 */
function bound(command, args) {
  const setpriv = process.platform === 'linux' ? onPath('setpriv') : null;
  return setpriv ? { command: setpriv, args: ['--pdeathsig', 'KILL', '--', command, ...args] } : { command, args };
}

/** @param {Launch} launch */
function guard(launch) {
  const child = spawn(process.execPath, [guardian], { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(launch)}\n`);
  let kept = '';
  /** @type {(pid: number) => void} */
  let started;
  /** @type {(how: string) => void} */
  let endedBy;
  /** @type {Promise<number>} */
  const pid = new Promise((resolve) => (started = resolve));
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => (endedBy = resolve));
  const closed = new Promise((resolve) => child.once('close', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.pid) started(message.pid);
    // the data may go with the server, so what it printed is read before
    else
      endedBy(message.error ?? (message.signal ? `was ended by ${message.signal}` : `ended with code ${message.code}`));
  });
  child.once('close', () => endedBy('was ended with its guardian'));
  const handles = [
    child,
    /** @type {import('node:net').Socket} */ (child.stdin),
    /** @type {import('node:net').Socket} */ (child.stdout),
  ];
  // the test's process may end while its servers run; the guardians then end them
  for (const handle of handles) handle.unref();
  return {
    pid,
    ended,
    log: () => {
      try {
        kept = readFileSync(launch.log, 'utf8');
      } catch {
        // the server has ended and its data are gone: what was read last is all there is
      }
      return kept;
    },
    /** Its guardian ends it, however long that takes; nothing waits for it. */
    abandon: () => {
      child.stdin.end();
    },
    stop: async () => {
      for (const handle of handles) handle.ref();
      child.stdin.end();
      await closed;
      // the guardian does so too, unless it was killed
      if (launch.temporary) rmSync(launch.directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * @param {{ ended: Promise<string>, log: () => string }} server
 * @param {() => Promise<boolean>} isReady
 * @param {number} ready
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<string | null>} why it is not
 */
async function untilReady(server, isReady, ready, signal) {
  const begun = Date.now();
  /** @type {string | null} */
  let ended = null;
  void server.ended.then((how) => (ended = how));
  // asked anew each time: a load shows only after a while
  while (Date.now() < begun + patience(ready, loadavg()[0] / availableParallelism())) {
    server.log();
    if (ended !== null) return ended;
    if (signal?.aborted) return 'was stopped';
    if (await isReady()) return null;
    await sleep(25, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
  return `was not ready after ${((Date.now() - begun) / 1000).toFixed(0)} s`;
}

/**
 * @param {number} ready - milliseconds of a machine with a processor for each program
 * @param {number} share - how many programs want each processor
 * @returns {number} milliseconds of this machine
 */
export function patience(ready, share) {
  return ready * Math.min(mostTimesLonger, Math.max(1, share));
}

/**
 * @param {number} [wanted] - refused when it is taken: another program on it would answer instead of the server
 * @returns {Promise<number>}
 */
function freePort(wanted = 0) {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}
