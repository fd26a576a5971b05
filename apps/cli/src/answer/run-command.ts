import { errorAnswer, type Ended } from '@orchard/questions/answer';
import { callers, type CallingProgram } from '../output/caller.js';
import { UsageError } from '../output/errors.js';
import { Captured, plainEnvironment } from '../output/captured.js';
import { run } from '../run.js';
import { answered, offeredCommands } from './offered-commands.js';

/**
 * Runs one command of the command line within this process.
 *
 * @param onNote what it would write to standard error
 */
export async function runCommand(
  words: readonly string[],
  caller: CallingProgram,
  onNote: (text: string) => void,
): Promise<Ended> {
  const [command = '', ...rest] = words;
  if (!Object.hasOwn(offeredCommands, command) || words.includes('-')) {
    const got = words.includes('-') ? 'standard input' : `the command ${JSON.stringify(command)}`;
    const refused = new UsageError({
      got,
      expected: `${Object.keys(offeredCommands).join(', ')}, of files`,
      where: 'words',
      remedy: 'Use the command line itself.',
    });
    return { error: { ...errorAnswer(refused) } };
  }
  const stdout = new Captured();
  const streams = { stdout, stderr: { write: onNote } };
  const code = await callers.run(caller, () => run([command, '--json', ...rest], streams, plainEnvironment));
  const document = JSON.parse(stdout.text) as Record<string, unknown> & { error?: Record<string, unknown> };
  if (answered.includes(code)) return { answer: document };
  const reason = code === 130 ? 'interrupted' : code === 2 ? 'refused' : null;
  return { error: { code: reason, ...document.error } };
}
