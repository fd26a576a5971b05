import { spawn } from 'node:child_process';

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shown?: boolean, input?: string | Buffer }} [options] - `shown`:
 *   what it prints goes to standard error as it comes
 * @returns {Promise<string>} its standard output
 * @throws {Error} with the end of what it printed, where its exit code is not 0
 */
export function run(program, args, { cwd, env, shown = false, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['pipe', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const output = [];
    /** @type {Buffer[]} */
    const printed = [];
    child.stdout.on('data', (data) => output.push(data));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => printed.push(data));
      if (shown) stream.pipe(process.stderr, { end: false });
    }
    // a program that ends before it has read all says so by its exit code
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(output).toString());
      const lines = Buffer.concat(printed).toString().trim().split('\n').slice(-25).join('\n');
      reject(new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${code ?? signal}:\n${lines}`));
    });
  });
}
