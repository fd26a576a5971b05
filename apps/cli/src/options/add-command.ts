import { Argument, type Command, type Option } from 'commander';
import { headings } from './help-places.js';
import type { Terminal } from '../output/terminal.js';
import { option, rare, under, type Parsed } from './option.js';

/**
 * What every command has; {@link Terminal} looks for `--json` and `--quiet` before the command line is parsed, and
 * a command with `--config` takes options from that file.
 */
const outputOptions = () => [
  ...under(headings.output, [
    option('--json', 'print one JSON document on standard output'),
    option('--quiet', 'print no progress and no notes'),
  ]),
  ...under(headings.run, [
    rare(
      '--config <file>',
      'a TOML file with options; the command line wins (default: orchard.toml, if the current folder has one)',
    ),
    rare('--no-config', 'ignore orchard.toml'),
  ]),
];

export const helpOption = () => option('-h, --help', 'print this help').helpGroup(headings.run);

/** What a help text says after its options. */
export interface AfterOptions {
  /** Command lines that work, and what each does. */
  readonly lines: readonly (readonly [line: string, what: string])[];
  readonly notes: string;
}

const afterOptions = new WeakMap<Command, AfterOptions>();

/** An argument: its name, in `<>` where it is needed and in `[]` where it is not, and what it is. */
export type Place = Argument | readonly [name: string, description: string];

/** What the arguments of a command are parsed as. */
type ArgumentsOf<Places extends readonly Place[]> = {
  -readonly [At in keyof Places]: Places[At] extends readonly [`${string}...${string}`, string]
    ? string[]
    : Places[At] extends readonly [`<${string}`, string]
      ? string
      : string | undefined;
};

export type MakesOptions = () => readonly Option[];

/** A command as data: what help, completion and manual pages show of it. */
export interface Declared<Places extends readonly Place[], Make extends MakesOptions> {
  readonly name: string;
  readonly description: string;
  readonly places?: Places;
  /** Beside those that every command has. */
  readonly options?: Make;
  readonly examples: AfterOptions['lines'];
  /** Lines below the examples. */
  readonly notes?: readonly string[];
}

/** What a command does: it is called with each of its arguments, its options, the terminal and itself. */
export type Run<Places extends readonly Place[], Options> = (
  ...found: [...ArgumentsOf<Places>, Options, Terminal, Command]
) => unknown;

/** Adds a command to the program. */
export type AddCommand = (program: Command, terminal: Terminal) => void;

export function declareCommand<const Places extends readonly Place[] = [], Make extends MakesOptions = () => []>(
  { name, description, places, options, examples, notes = [] }: Declared<Places, Make>,
  run: Run<Places, Parsed<Make>>,
): AddCommand {
  return (program, terminal) => {
    const command = program.command(name).description(description);
    for (const place of places ?? []) {
      if (place instanceof Argument) command.addArgument(place);
      else command.argument(...place);
    }
    for (const one of [...(options?.() ?? []), ...outputOptions()]) command.addOption(one);
    addExamples(command.addHelpOption(helpOption()), examples, ...notes).action(async (...given: unknown[]) => {
      // commander hands over the arguments, the options and the command
      const found = [...given.slice(0, -1), terminal, command];
      await run(...(found as Parameters<typeof run>));
    });
  };
}

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
