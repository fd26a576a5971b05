import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { optimizeLater } from '@orchard/program/optimize-later';
import { writeFailure } from './output/disk-error.js';
import { ExitCode, exitCodeOf, messageOf } from './output/errors.js';
import { tellReaderGone } from './output/reader-gone.js';
import { installedVersion } from './output/version.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `orchard inspect … | head` closes our stdout early: that is not a failure, and a command that has something to keep
  // does so first
  if (error.code === 'EPIPE') {
    if (!tellReaderGone()) process.exit(ExitCode.done);
    return;
  }
  const failure = writeFailure('standard output', 'stdout', error);
  process.stderr.write(`orchard: ${messageOf(failure)}\n`);
  process.exit(exitCodeOf(failure));
});
// remarks without a reader are no reason to leave work undone
process.stderr.on('error', () => undefined);

const args = process.argv.slice(2);
if (args.length === 1 && ['-v', '--version'].includes(args[0]!)) {
  // asked by scripts, for which no command needs to be known
  process.stdout.write(`${installedVersion}\n`);
} else {
  optimizeLater();
  keepCompiledCode();
  const { run } = await import('./run.js');
  process.exitCode = await run(args);
}

/**
 * Has Node keep what it compiles of the modules that are imported from now on, in the user's own cache folder, for the
 * next start; Node of 22.1 and later can. It is asked for before anything large is imported, so that the variable is
 * read as it is. Where the folder cannot be written to, or NODE_DISABLE_COMPILE_CACHE says so, nothing is kept, and
 * nothing is said.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orchard', 'compiled'));
}
