import type { Argument, Command, Option } from 'commander';
import { everyOption } from './grouped-help.js';
import { isRare } from '../options/help-places.js';
import { isRowsArgument } from '../options/query-option.js';
import type { Reader, ValueSchema } from '../options/values.js';

/** What may follow an option, or stand as an argument: these words, and names of files or folders. */
export interface Value {
  /** As help calls it: `file` of `--out <file>`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly paths: 'files' | 'folders' | null;
  /** What it may be before it is written as text. */
  readonly schema: () => ValueSchema;
  /**
   * How several values are written: in one text between commas, or each behind the option again; null where there is
   * one.
   */
  readonly several: 'commas' | 'again' | null;
}

export interface OptionGrammar {
  /** `-o`, where it has a short form. */
  readonly short: string | null;
  /** `--out`. */
  readonly long: string;
  readonly description: string;
  /** Null for an option that stands alone. */
  readonly value: Value | null;
  readonly isRequired: boolean;
  /** Whether `--help` leaves it to `--help-all`. */
  readonly isRare: boolean;
  readonly usual: unknown;
}

export interface ArgumentGrammar extends Value {
  readonly description: string;
  readonly isRequired: boolean;
}

export interface CommandGrammar {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionGrammar[];
  readonly arguments: readonly ArgumentGrammar[];
}

/** The command line as its commands define it, for programs that write completions. */
export interface Grammar {
  readonly name: string;
  readonly options: readonly OptionGrammar[];
  readonly commands: readonly CommandGrammar[];
}

export function grammarOf(program: Command): Grammar {
  const names = program.commands.map((command) => command.name());
  return {
    name: program.name(),
    options: optionsOf(program),
    commands: program.commands.map((command) => ({
      name: command.name(),
      description: command.description(),
      options: optionsOf(command),
      arguments: command.registeredArguments.map((argument) => argumentOf(argument, command, names)),
    })),
  };
}

/** `--help` among them. */
function optionsOf(command: Command): OptionGrammar[] {
  return everyOption(command).map((option) => ({
    short: option.short ?? null,
    long: option.long ?? option.flags,
    description: option.description,
    value: valueOf(option),
    isRequired: option.mandatory,
    isRare: isRare(option),
    usual: option.defaultValue as unknown,
  }));
}

function valueOf(option: Option): Value | null {
  const [, name] = /<(.*)>/.exec(option.flags) ?? [];
  if (name === undefined) return null;
  const isFile = name === 'file' || option.long === '--ordering' || namesOfFiles.includes(name);
  const { words, schema, isRepeated } = readerOf(option);
  const isList = namesOfLists.includes(name);
  const several = isList ? (isRepeated === true ? 'again' : 'commas') : null;
  return { name, words, paths: name === 'dir' ? 'folders' : isFile ? 'files' : null, schema, several };
}

type Known = Pick<Reader<unknown>, 'words' | 'schema' | 'isRepeated'>;
const anyText: Known = { words: [], schema: () => ({ type: 'string' }) };

/** What the reader of its text knows of it. */
function readerOf({ parseArg }: Option | Argument): Known {
  return { ...anyText, ...(parseArg as Partial<Known> | undefined) };
}

/** How help calls values that are several. */
const namesOfLists = ['list', 'kinds'];

const namesOfFolders = ['DIR'];
const namesOfFiles = ['TRAIN', 'DATA', 'FILE', 'NETWORK', 'A', 'B'];

function argumentOf(argument: Argument, command: Command, commands: readonly string[]): ArgumentGrammar {
  const name = argument.name();
  // a run of a coordinator has an id, one of this machine a folder
  const isFolder = namesOfFolders.includes(name) || (name === 'RUN' && !command.options.some(isServer));
  const paths = isFolder ? 'folders' : namesOfFiles.includes(name) ? 'files' : null;
  const { words, schema } = readerOf(argument);
  return {
    name,
    paths,
    schema,
    words: name === 'COMMAND' ? commands : words,
    description: argument.description,
    several: argument.variadic ? 'again' : null,
    isRequired: argument.required || isRowsArgument(argument),
  };
}

const isServer = ({ long }: Option): boolean => long === '--server';
