import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * Has Node keep what it compiles of the modules that are imported from now on, in the user's own cache folder, for the
 * next start; Node of 22.1 and later can. It is asked for before anything large is imported, so that the variable is
 * read as it is. Where the folder cannot be written to, or NODE_DISABLE_COMPILE_CACHE says so, nothing is kept, and
 * nothing is said.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orchard', 'compiled'));
}

/** How these releases of Node are asked to see more of a function before it is optimized; later ones do so anyway. */
const LATER: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=400000',
  22: '--invocation-count-for-turbofan=20000',
};

/**
 * Most commands end within a second, of which a quarter went into optimizing what was run for milliseconds. What runs
 * for long is optimized nearly as soon. Each of these flags is one that its release knows; others are left as they are.
 */
export function optimizeLater(): void {
  const flag = LATER[process.versions.node.split('.')[0]!];
  if (flag !== undefined) setFlagsFromString(flag);
}
