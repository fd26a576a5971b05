import { didYouMean } from '@orchard/dataset';
import { Argument, type Command } from 'commander';
import { UsageError } from '../output/errors.js';

/** `orchard help train` is `orchard train --help`. Added last: it answers for the commands that are there by then. */
export function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('Print the help of a command, or the list of commands.')
    .addArgument(new Argument('[COMMAND]', 'one of the commands'))
    .action((name: string | undefined) => (name === undefined ? program : commandNamed(program, name)).outputHelp());
}

/** @throws UsageError where there is no command of that name */
export function commandNamed(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const names = program.commands.map((command) => command.name());
  throw new UsageError({
    got: JSON.stringify(name.slice(0, 60)),
    expected: `one of the commands: ${names.join(', ')}`,
    where: 'COMMAND',
    remedy: didYouMean(name, names) ?? 'orchard help says what each does.',
  });
}
