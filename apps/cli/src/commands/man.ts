import { Argument, type Command } from 'commander';
import { manPageOf, manPageOfCommand } from '../command-line/man-page.js';
import { examples } from '../options/output-options.js';
import type { Terminal } from '../output/terminal.js';
import { installedVersion } from '../version.js';
import { commandNamed } from './help.js';

/** Prints manual pages, made of the same definitions as the help. */
export function addManCommand(program: Command, terminal: Terminal): void {
  program
    .command('man')
    .description('Print the manual page of a command, or of all, as man reads it.')
    .addArgument(new Argument('[COMMAND]', 'one of the commands'))
    .addHelpText(
      'after',
      examples([
        ['orchard man train | man -l -', 'to read it'],
        ['orchard man > ~/.local/share/man/man1/orchard.1', 'for man orchard'],
      ]),
    )
    .action(async (name: string | undefined) => {
      const page =
        name === undefined
          ? manPageOf(program, installedVersion)
          : manPageOfCommand(commandNamed(program, name), installedVersion);
      await terminal.data([Buffer.from(page)]);
    });
}
