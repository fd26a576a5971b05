// Commands under the same conditions: one core, one thread, a limit of processor time; what they took and what they
// printed.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const measured = fileURLToPath(new URL('measured.py', import.meta.url));
const threads = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'NUMBA_NUM_THREADS'];

/**
 * Runs commands with these conditions.
 *
 * @param {{ python: string, core: number | null, limit: number, memory: number, folder: string }} conditions limit in
 *   seconds of processor time, memory in MiB of address space; output is kept in the folder while the command runs
 */
export function runner({ python, core, limit, memory, folder }) {
  /**
   * What a command took, `null` for its answer where a limit ended it. Throws where it failed by itself: by another
   * exit code than `endings` has.
   */
  return function run(command, { hasMemoryLimit = true, endings = [0] } = {}) {
    const output = join(folder, 'output');
    const one = Object.fromEntries(threads.map((name) => [name, '1']));
    const limits = [String(limit), String(hasMemoryLimit ? memory : 0), String(core ?? -1), output];
    const { status, stdout, stderr, error, signal } = spawnSync(python, [measured, ...limits, ...command], {
      encoding: 'utf8',
      env: { ...process.env, ...one, PYTHONWARNINGS: 'ignore' },
      maxBuffer: 2 ** 26,
    });
    if (error) throw error;
    if (status !== 0) throw new Error(`${command.slice(0, 3).join(' ')} was ended by ${signal ?? stderr.trim()}`);
    const { code, limited, ...took } = JSON.parse(stdout);
    const printed = readFileSync(output, 'utf8');
    rmSync(output);
    // Python says so itself; other programs end in ways of their own
    if (code !== 0 && stderr.includes('MemoryError')) return { ...took, limited: 'memory', answer: null };
    if (limited) return { ...took, limited, answer: null };
    if (!endings.includes(code))
      throw new Error(`${command.join(' ')} ended with ${code}: ${stderr.trim().split('\n').slice(-4).join(' | ')}`);
    return { ...took, limited, answer: printed };
  };
}
