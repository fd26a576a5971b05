import { existsSync } from 'node:fs';
import { closestNames } from '@orchard/dataset';
import { CommanderError, type Command } from 'commander';
import { mayReadOptions } from './options/configured-command.js';
import { ExitCode, UsageError, errorDocument, exitCodeOf, messageOf } from './output/errors.js';
import { colourEnvironment } from './output/colours.js';
import { Terminal, type Streams } from './output/terminal.js';
import { createProgram } from './program.js';

/**
 * Runs one command line and says with which code the process is to end. Nothing is thrown.
 *
 * @param environment what it says of colours
 */
export async function run(
  args: readonly string[],
  streams: Streams = process,
  environment = colourEnvironment(),
): Promise<number> {
  // looked for before parsing: a command line that does not parse is to be answered in JSON too
  const terminal = new Terminal(
    { json: args.includes('--json'), quiet: args.includes('--quiet') },
    streams.stdout,
    streams.stderr,
    environment,
  );
  // a file of options may name any command
  const only = mayReadOptions(args) ? undefined : args[0];
  const program = await createProgram(terminal, streams, only);
  try {
    await program.parseAsync(args, { from: 'user' });
    return terminal.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.done;
    const command = program.commands.find((one) => one.name() === args[0]);
    const failure = error instanceof CommanderError ? usageErrorOf(error, program, command) : error;
    terminal.document(errorDocument(failure));
    if (!isHelpInstead(error) || terminal.json) terminal.complain(`orchard: ${messageOf(failure)}`);
    return exitCodeOf(failure);
  }
}

/** A command line without a command was answered with the help, which says it all. */
function isHelpInstead(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}

/** @param command the one that was called, if there is such a one */
function usageErrorOf(error: CommanderError, program: Command, command: Command | undefined): UsageError {
  const said = error.message.replace(/^error: /, '').replace(/\s+/g, ' ');
  const got =
    error.code === 'commander.help'
      ? 'no command'
      : said
          .replace(/\. Expected (\d+) arguments? but got (\d+)\.$/, ' ($2 instead of $1)')
          .replace(/^required option '(.*)' not specified$/, 'no $1, which is needed')
          .replace(/^missing required argument '(.*)'$/, 'no $1, which is needed');
  const help =
    command === undefined ? 'See orchard --help, or orchard COMMAND --help.' : `See orchard ${command.name()} --help.`;
  const word = /'([^']*)'/.exec(got)?.[1] ?? '';
  const [near] = closestNames(word, namesInstead(error, program, command));
  const isFile = error.code === 'commander.unknownOption' && existsSync(word);
  const remedy = isFile ? `The file of that name is ./${word}.` : near === undefined ? help : `Did you mean ${near}?`;
  return new UsageError({ got, expected: 'a command line as the help shows it', remedy }, { cause: error });
}

/** What a misspelt command or option may have been meant to be; options that short help leaves out are among them. */
function namesInstead({ code }: CommanderError, program: Command, command: Command | undefined): string[] {
  if (code === 'commander.unknownCommand') return program.commands.map((one) => one.name());
  if (code !== 'commander.unknownOption') return [];
  return (command ?? program).options.flatMap(({ long }) => long ?? []);
}
