import { spawn } from 'node:child_process';
import { Refusal } from '@orchard/refusal';
import type { Terminal } from '../output/terminal.js';
import type { RunStatus } from './documents.js';

/**
 * Runs a shell command when a run has ended, which the command's environment describes: what a run is called never
 * becomes part of the command itself. What it writes goes to stderr, since stdout is for the result.
 *
 * @throws Refusal `run-ended` where the command fails
 */
export async function execAtEnd(command: string, status: RunStatus, terminal: Terminal): Promise<void> {
  const { id, state, name = '', reason } = status;
  terminal.note(`orchard: run ${id.slice(0, 12)} is ${state}; running ${command}`);
  const environment = {
    ORCHARD_RUN: id,
    ORCHARD_RUN_STATE: state,
    ORCHARD_RUN_NAME: name,
    ORCHARD_RUN_REASON: reason ?? '',
  };
  const ended = await new Promise<string | null>((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 2, 2], env: { ...process.env, ...environment } });
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? String(code)}`));
  });
  if (ended === null) return;
  throw new Refusal('run-ended', {
    got: `a command that failed: ${ended}`,
    expected: 'one that ends with 0',
    where: `--exec ${JSON.stringify(command)}`,
    remedy: `The run is ${state}, whatever the command did. Correct the command.`,
  });
}
