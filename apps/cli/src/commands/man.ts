import { makeFolder } from '@orchard/storage';
import { Argument, type Command } from 'commander';
import { join } from 'node:path';
import { manPageOf, manPageOfCommand } from '../command-line/man-page.js';
import { writeFailure } from '../output/disk-error.js';
import { addExamples, helpOption } from '../options/add-command.js';
import { outOption } from '../options/repeated-options.js';
import type { Terminal } from '../output/terminal.js';
import { installedVersion } from '../output/version.js';
import { refuseNoFolder, writeOutput } from '../output/write-output.js';
import { commandNamed } from './help.js';

/** Prints manual pages, made of the same definitions as the help, or writes them where man looks for them. */
export function addManCommand(program: Command, terminal: Terminal): void {
  addExamples(
    program
      .command('man')
      .description('Print the manual page of a command, or of the whole program; with --out, write all of them.')
      .addArgument(new Argument('[COMMAND]', 'one of the commands'))
      .addOption(outOption('-o, --out <dir>', 'write orchard.1 and a page of every command to this folder'))
      .addHelpOption(helpOption()),
    [
      ['orchard man train | man -l -', 'read it'],
      ['orchard man --out ~/.local/share/man/man1', 'for man orchard and man orchard-train'],
    ],
    'After npm install --global, man knows the pages already.',
  ).action(async (name: string | undefined, { out }: { readonly out?: string }) => {
    const named = name === undefined ? null : commandNamed(program, name);
    if (out !== undefined) return writePages(out, named === null ? [program, ...program.commands] : [named]);
    await terminal.data([Buffer.from(pageOf(named ?? program))]);
  });
}

const pageOf = (command: Command): string =>
  command.parent === null ? manPageOf(command, installedVersion) : manPageOfCommand(command, installedVersion);

async function writePages(folder: string, commands: readonly Command[]): Promise<void> {
  refuseNoFolder(folder);
  await makeFolder(folder).catch((cause: unknown) => {
    throw writeFailure(folder, '--out', cause);
  });
  for (const command of commands) {
    const name = command.parent === null ? command.name() : `${command.parent.name()}-${command.name()}`;
    await writeOutput(join(folder, `${name}.1`), '--out', pageOf(command));
  }
}
