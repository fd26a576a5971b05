// Processor time and memory of processes, as Linux reports them; elsewhere figures are null.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, on every architecture. */
const ticksPerSecond = 100;
/** Fields of /proc/<pid>/stat behind the command, whose name may hold blanks. */
const ownFields = [11, 12];
const childFields = [13, 14];

/**
 * @param {number | 'self' | null} pid
 * @param {number[]} wanted
 * @returns {number | null} seconds, user and system together
 */
function secondsOf(pid, wanted) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return wanted.reduce((sum, field) => sum + Number(fields[field]), 0) / ticksPerSecond;
  } catch {
    return null;
  }
}

/**
 * Processor seconds of all threads of a process so far.
 *
 * @param {number | null} pid
 */
export const processorSeconds = (pid) => secondsOf(pid, ownFields);

/**
 * Memory of a process in bytes, now and at its highest.
 *
 * @param {number | null} pid
 * @returns {{ now: number, peak: number } | null}
 */
export function memoryOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [now, peak] = ['VmRSS', 'VmHWM'].map(
      (name) => 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]),
    );
    return { now, peak };
  } catch {
    return null;
  }
}

/**
 * Runs a program to its end. Its processor time is exact when no other child of this process ends meanwhile.
 *
 * @param {string[]} command
 * @param {Record<string, string>} [environment]
 * @returns {Promise<{ seconds: number, processorSeconds: number | null, output: string }>}
 */
export async function timed([file, ...args], environment = {}) {
  const before = secondsOf('self', childFields);
  const begun = performance.now();
  const child = spawn(file, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`${[file, ...args].join(' ')} ended with ${code}:\n${errors.slice(-2000)}`);
  const after = secondsOf('self', childFields);
  return { seconds, processorSeconds: before === null || after === null ? null : after - before, output };
}
