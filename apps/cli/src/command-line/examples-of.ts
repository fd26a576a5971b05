import type { Command } from 'commander';

/** What a help text says after its options. */
export interface AfterOptions {
  /** Command lines, and what each does. */
  readonly lines: readonly (readonly [line: string, what: string])[];
  readonly notes: string;
}

export function examplesOf(command: Command): AfterOptions {
  const [, lines = '', notes = ''] = /\nExamples:\n((?: {2}.*\n)*)\n*([^]*)$/.exec(helpOf(command)) ?? [];
  const examples = [...lines.matchAll(/^ {2}\$ (.*?)(?: {2,}(.*))?$/gm)];
  return { lines: examples.map(([, line, what = '']) => [line!, what]), notes: notes.trim() };
}

function helpOf(command: Command): string {
  const usual = command.configureOutput();
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    getOutHasColors: () => false,
  });
  command.outputHelp();
  command.configureOutput(usual);
  return help;
}
