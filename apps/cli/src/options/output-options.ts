import type { Command } from 'commander';

/**
 * Adds what every command has; {@link Terminal} looks for `--json` and `--quiet` before the command line is parsed, and a command with
 * `--config` takes options from that file.
 */
export function addOutputOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'options that are not given here, in TOML (default: orchard.toml, where there is one here)',
    )
    .option('--no-config', 'read no such file')
    .option('--json', 'print exactly one JSON document on standard output')
    .option('--quiet', 'say nothing on the way')
    .helpOption('-h, --help', 'print this help');
}

/** Help that follows the options: command lines that work, each with what it does. */
export function examples(lines: readonly (readonly [command: string, what: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, what]) => `  $ ${command.padEnd(width)}  ${what}`.trimEnd()).join('\n')}`;
}
