import { Option, type Command } from 'commander';
import { headings, rarely } from './help-places.js';
import { ofForm } from './values.js';
import { option } from './option.js';

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

/** Names of no listing: those of workbooks, whatever is written there, and of standard output, which has the answer. */
const NO_LISTING = /\.(xlsx?|ods|numbers)$|^-?$/i;

/** The file with a line for each row: refused before the work where its name is none for it. */
export function perRowOption(description: string): Option {
  const expected = 'a name that ends in .csv, .tsv, .json, .parquet, .arrow or .feather, or /dev/stdout';
  const read = (path: string): string | undefined => (NO_LISTING.test(path) ? undefined : path);
  return option(
    '--per-row <file>',
    description,
    ofForm('--per-row', expected, read, () => ({ type: 'string' })),
  );
}

/** What a help text says after its options. */
export interface AfterOptions {
  /** Command lines that work, and what each does. */
  readonly lines: readonly (readonly [line: string, what: string])[];
  readonly notes: string;
}

const afterOptions = new WeakMap<Command, AfterOptions>();

/** @param notes lines below the examples */
export function addExamples(command: Command, lines: AfterOptions['lines'], ...notes: readonly string[]): Command {
  const width = Math.max(...lines.map(([line]) => line.length));
  const shown = lines.map(([line, what]) => `  $ ${line.padEnd(width)}  ${what}`.trimEnd());
  afterOptions.set(command, { lines, notes: notes.join('\n') });
  return command.addHelpText(
    'after',
    ['\nExamples:', ...shown, ...(notes.length > 0 ? [''] : []), ...notes].join('\n'),
  );
}

export function examplesOf(command: Command): AfterOptions {
  return afterOptions.get(command) ?? { lines: [], notes: '' };
}
