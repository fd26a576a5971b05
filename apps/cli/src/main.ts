import { optimizeLater } from '@orchard/program/optimize-later';
import { keepCompiledCode } from './compiled-code.js';
import { writeFailure } from './output/disk-error.js';
import { ExitCode, exitCodeOf, messageOf } from './errors.js';
import { tellReaderGone } from './output/reader-gone.js';
import { installedVersion } from './version.js';

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
