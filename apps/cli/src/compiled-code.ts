import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

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
