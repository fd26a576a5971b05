import { endOf, main, type Ended } from '../cli/orchard.js';

/** The command line as people run it, and what came of it. */
export const ask = (args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> =>
  endOf(process.execPath, [main, ...args], { env: { ...process.env, ...environment } });

/** What it prints; rejects where it fails. */
export async function orchard(args: string[], environment: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await ask(args, environment);
  if (code === 0) return stdout;
  throw new Error(`orchard ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
}
