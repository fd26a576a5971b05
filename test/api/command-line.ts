import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../apps/cli/program/main.js', import.meta.url));

/** The command line as people run it, and what came of it. */
export function ask(
  args: string[],
  environment: Record<string, string> = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, ...environment } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.once('error', reject).once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** What it prints; rejects where it fails. */
export async function orchard(args: string[], environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await ask(args, environment);
  if (code === 0) return stdout;
  throw new Error(`orchard ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
}
