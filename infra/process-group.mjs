// A program that is ended with everything it started: in a process group of its own, to which signals are passed on.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a group that was asked to end may take, in milliseconds: guardians give their servers five seconds. */
const GRACE = 10_000;
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program and waits for its end. SIGINT, SIGTERM and SIGHUP go on to its group; when they come, all of the group
 * is waited for, and what is left after ten seconds is killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: import('node:child_process').ChildProcess) => void} [onStart]
 * @returns {Promise<{ code: number, isStopped: boolean }>} its exit code; 128 and the signal's number where one ended
 *   it, or was passed on. Stopped is what a signal was passed on to: programs end with 130 of their own accord too
 */
export async function runAsGroup(command, args, options, onStart = () => undefined) {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  /** @type {NodeJS.Signals | null} */
  let passedOn = null;
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    passedOn ??= signal;
    killGroup(child, signal);
  };
  for (const signal of signals) process.on(signal, pass);
  try {
    onStart(child);
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, signal) => resolve(status ?? codeOf(signal)));
    });
    if (passedOn === null) return { code, isStopped: false };
    await untilGone(child, GRACE);
    if (killGroup(child, 'SIGKILL')) await untilGone(child, 1000);
    return { code: codeOf(passedOn), isStopped: true };
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} within milliseconds
 */
async function untilGone(child, within) {
  for (const until = Date.now() + within; Date.now() < until && killGroup(child, 0);) await sleep(25);
}

/**
 * False where nothing of it is left.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals | 0} signal
 */
function killGroup({ pid }, signal) {
  if (pid === undefined) return false;
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}

/** @param {NodeJS.Signals} signal */
function codeOf(signal) {
  return 128 + constants.signals[signal];
}
