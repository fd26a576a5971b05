import { Argument, type Command } from 'commander';
import { completionFor, shells, type Shell } from '../command-line/completion.js';
import { grammarOf } from '../command-line/grammar.js';
import { examples } from '../options/output-options.js';
import { oneOf } from '../options/values.js';
import type { Terminal } from '../output/terminal.js';

/** Prints what a shell needs to complete this command line, of the commands as they are defined. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('Print a script that completes commands, options and values in your shell.')
    .addArgument(new Argument('<SHELL>', `one of ${shells.join(', ')}`).argParser(oneOf('SHELL', shells)))
    .addHelpText(
      'after',
      examples([
        ['source <(orchard completion bash)', 'in ~/.bashrc, for every shell'],
        ['source <(orchard completion zsh)', 'in ~/.zshrc, after compinit'],
        ['orchard completion fish | source', ''],
      ]),
    )
    .action(async (shell: Shell) => terminal.data([Buffer.from(completionFor(shell, grammarOf(program)))]));
}
