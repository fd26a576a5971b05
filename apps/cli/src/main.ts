import { writeFailure } from './disk-error.js';
import { ExitCode, exitCodeOf, messageOf } from './errors.js';
import { run } from './run.js';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `orchard inspect … | head` closes our stdout early: that is no failure
  if (error.code === 'EPIPE') process.exit(ExitCode.done);
  const failure = writeFailure('standard output', 'stdout', error);
  process.stderr.write(`orchard: ${messageOf(failure)}\n`);
  process.exit(exitCodeOf(failure));
});
// remarks that nobody reads are no reason to leave work undone
process.stderr.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2));
