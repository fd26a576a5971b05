import { Argument, type Command } from 'commander';
import { bashCompletion } from '../command-line/completion-bash.js';
import { fishCompletion } from '../command-line/completion-fish.js';
import { zshCompletion } from '../command-line/completion-zsh.js';
import { grammarOf, type Grammar } from '../command-line/grammar.js';
import { addExamples } from '../options/add-command.js';
import { oneOf } from '../options/values.js';
import type { Terminal } from '../output/terminal.js';

/** A script for each shell that has it complete commands, options and their values: all words are in it. */
const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const satisfies Readonly<
  Record<string, (grammar: Grammar) => string>
>;
type Shell = keyof typeof scripts;
const shells = Object.keys(scripts) as Shell[];

/** Prints what a shell needs to complete this command line, of the commands as they are defined. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  addExamples(
    program
      .command('completion')
      .description('Print a script that completes commands, options and values in your shell.')
      .addArgument(new Argument('<SHELL>', `one of ${shells.join(', ')}`).argParser(oneOf(shells)('SHELL'))),
    [
      ['source <(orchard completion bash)', 'in ~/.bashrc, for every shell'],
      ['source <(orchard completion zsh)', 'in ~/.zshrc, after compinit'],
      ['orchard completion fish | source', ''],
    ],
  ).action(async (shell: Shell) => terminal.data([Buffer.from(scripts[shell](grammarOf(program)))]));
}
