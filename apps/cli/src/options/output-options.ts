import { Option, type Command } from 'commander';
import { headings, rarely } from '../command-line/help-places.js';

/**
 * Adds what every command has; {@link Terminal} looks for `--json` and `--quiet` before the command line is parsed, and
 * a command with `--config` takes options from that file.
 */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('--json', 'print one JSON document on standard output').helpGroup(headings.output))
    .addOption(new Option('--quiet', 'print no progress and no notes').helpGroup(headings.output))
    .addOption(
      rarely(
        new Option(
          '--config <file>',
          'a TOML file with options; the command line wins (default: orchard.toml, if the current folder has one)',
        ).helpGroup(headings.run),
      ),
    )
    .addOption(rarely(new Option('--no-config', 'ignore orchard.toml').helpGroup(headings.run)))
    .addHelpOption(new Option('-h, --help', 'print this help').helpGroup(headings.run));
}

/** The file or folder that a command writes. */
export function outOption(flags: '-o, --out <dir>' | '-o, --out <file>', description: string): Option {
  return new Option(flags, description).helpGroup(headings.output);
}

/** Help that follows the options: command lines that work, each with what it does. */
export function examples(lines: readonly (readonly [command: string, what: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, what]) => `  $ ${command.padEnd(width)}  ${what}`.trimEnd()).join('\n')}`;
}
