import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../apps/cli/program/main.js', import.meta.url));

/** The command line as people run it; rejects where it fails. */
export function orchard(args: string[], environment: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...environment } });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`orchard ${args.join(' ')} ended with ${String(code)}: ${errors}`));
    });
  });
}
