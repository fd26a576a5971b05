import type { Argument, Command, Option } from 'commander';
import { everyOption } from './grouped-help.js';
import type { Reader } from '../options/values.js';

/** What may follow an option, or stand as an argument: these words, and names of files or folders. */
export interface Value {
  /** As help calls it: `file` of `--out <file>`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly paths: 'files' | 'folders' | null;
}

export interface OptionGrammar {
  /** `-o`, where it has a short form. */
  readonly short: string | null;
  /** `--out`. */
  readonly long: string;
  readonly description: string;
  /** Null for an option that stands alone. */
  readonly value: Value | null;
}

export interface ArgumentGrammar extends Value {
  readonly description: string;
  readonly isRepeated: boolean;
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
  }));
}

function valueOf(option: Option): Value | null {
  const [, name] = /<(.*)>/.exec(option.flags) ?? [];
  if (name === undefined) return null;
  const paths = name === 'dir' ? 'folders' : name === 'file' || name === 'order' ? 'files' : null;
  return { name, words: wordsOf(option), paths };
}

/** Those that its reader knows. */
function wordsOf({ parseArg }: Option | Argument): readonly string[] {
  return (parseArg as Partial<Reader<unknown>> | undefined)?.words ?? [];
}

const namesOfFolders = ['DIR'];
const namesOfFiles = ['TRAIN', 'DATA', 'FILE', 'NETWORK', 'A', 'B'];

function argumentOf(argument: Argument, command: Command, commands: readonly string[]): ArgumentGrammar {
  const name = argument.name();
  // a run of a coordinator has an id, one of this machine a folder
  const isFolder = namesOfFolders.includes(name) || (name === 'RUN' && !command.options.some(isServer));
  const paths = isFolder ? 'folders' : namesOfFiles.includes(name) ? 'files' : null;
  const words = name === 'COMMAND' ? commands : wordsOf(argument);
  return { name, words, paths, description: argument.description, isRepeated: argument.variadic };
}

const isServer = ({ long }: Option): boolean => long === '--server';
