import { callers, type Caller } from '../caller.js';
import { UsageError } from '../errors.js';
import { run } from '../run.js';
import { errorAnswer } from './answer-question.js';
import type { Ended } from './questions.js';

/** Commands that another program may have run here: those that end by themselves, read no standard input and have a document. */
const commands = [
  'train',
  'describe',
  'inspect',
  'compare',
  'compare-models',
  'importance',
  'evaluate',
  'submit',
  'fetch',
];

/**
 * Runs one command of the command line within this process.
 *
 * @param onNote what it would write to standard error
 */
export async function runCommand(
  words: readonly string[],
  caller: Caller,
  onNote: (text: string) => void,
): Promise<Ended> {
  const [command = ''] = words;
  if (!commands.includes(command) || words.includes('-')) {
    const got = words.includes('-') ? 'standard input' : `the command ${JSON.stringify(command)}`;
    const refused = new UsageError({
      got,
      expected: `${commands.join(', ')}, of files`,
      where: 'words',
      remedy: 'Use the command line itself.',
    });
    return { error: { ...errorAnswer(refused) } };
  }
  let said = '';
  const stdout = { write: (text: string) => (said += text) };
  const stderr = { write: onNote };
  const plain = { NO_COLOR: '1', FORCE_COLOR: undefined, TERM: 'dumb' };
  const code = await callers.run(caller, () => run([...words, '--json'], { stdout, stderr }, plain));
  const document = JSON.parse(said) as Record<string, unknown> & { error?: Record<string, unknown> };
  if (code === 0) return { answer: document };
  const reason = code === 130 ? 'interrupted' : code === 2 ? 'refused' : null;
  return { error: { code: reason, where: null, ...document.error } };
}
