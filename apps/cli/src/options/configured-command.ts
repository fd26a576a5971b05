import { existsSync } from 'node:fs';
import { basename, isAbsolute, normalize, sep } from 'node:path';
import { didYouMean } from '@orchard/dataset';
import { isRefusal } from '@orchard/refusal';
import { Command, type Option } from 'commander';
import type { TomlValue } from 'smol-toml';
import { UsageError } from '../output/errors.js';
import { formerFlagsOf } from './former-flags.js';
import type { Terminal } from '../output/terminal.js';
import {
  readConfigurationFile,
  USUAL_FILE,
  type ConfigurationFile,
  type ConfiguredWord,
} from './configuration-file.js';

/** The options that a command took from a file, as the run and its report show them. */
export interface Configured {
  readonly file: string;
  /** By option, as `--rounds`; null for an option that stands alone. */
  readonly words: Readonly<Record<string, string | null>>;
}

/** Options that a file must not give, and why. */
const refused: Readonly<Record<string, string>> = {
  config: 'a file names no other',
  force: 'what replaces files is said each time',
  remove: 'what removes things is said each time',
  json: 'the reader of an answer chooses its form',
  quiet: 'the reader of an answer chooses its form',
  server: 'a file that came with a folder must not choose who is shown your token: ORCHARD_SERVER and orchard login do',
};

/** Options that say where a command writes. */
export const writing = ['out', 'per-row', 'keep'];

type SaidWord = ConfiguredWord & { readonly word: string };

const configured = new WeakMap<Command, Configured>();

/** Whether a command that takes a file of options may read one. */
export function mayReadOptions(args: readonly string[]): boolean {
  return args.some((word) => word.startsWith('--conf')) || existsSync(USUAL_FILE);
}

/** What a file said to this command; null where none was read. */
export function configuredBy(command: Command): Configured | null {
  return configured.get(command) ?? null;
}

/** The same as files keep it that others may read: without the folder that the file of options is in. */
export function keptOf(command: Command): Configured | undefined {
  const said = configuredBy(command);
  return said === null ? undefined : { ...said, file: basename(said.file) };
}

/**
 * A command that takes from a file of options what its command line does not say: `--config`, or `orchard.toml` where
 * it is called. Words stand at the top of the file for all commands that have such an option, or below `[train]` for
 * one, which goes before.
 */
export class ConfiguredCommand extends Command {
  readonly #terminal: Terminal;

  constructor(name: string, terminal: Terminal) {
    super(name);
    this.#terminal = terminal;
  }

  override createCommand(name: string): Command {
    return new ConfiguredCommand(name, this.#terminal);
  }

  /** @throws UsageError for a file, a word or a value that cannot be taken */
  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    const parsed = super.parseOptions(args);
    // what is refused anyway, or asks for help, needs no file
    if (parsed.unknown.length === 0 && hasOption(this, 'config')) this.#configure();
    for (const line of formerFlagsOf(this)) this.#terminal.note(`orchard: ${line}`);
    return parsed;
  }

  #configure(): void {
    const named = this.opts<{ readonly config?: string | false }>().config;
    if (named === false || (named === undefined && !existsSync(USUAL_FILE))) return;
    const file = readConfigurationFile(named ?? USUAL_FILE);
    for (const word of file.words) checkWord(word, file, this.parent!.commands);
    const said = file.words.filter((one): one is SaidWord => one.word !== null);
    const own = said.filter(({ command }) => command === this.name());
    const shared = said.filter(
      ({ command, word }) => command === null && hasOption(this, word) && !own.some((one) => one.word === word),
    );
    const words: Record<string, string | null> = {};
    const overruled: string[] = [];
    for (const one of [...shared, ...own]) {
      const option = this.options.find(({ long }) => long === `--${one.word}`)!;
      if (this.getOptionValueSource(option.attributeName()) === 'cli') overruled.push(`--${one.word}`);
      else {
        if (named === undefined) checkPlace(one, file);
        words[`--${one.word}`] = this.#take(option, one, file);
      }
    }
    configured.set(this, { file: file.path, words });
    if (Object.keys(words).length > 0) this.#terminal.configured = { file: file.path, words };
    this.#tell(file.path, words, overruled);
  }

  #take(option: Option, said: SaidWord, file: ConfigurationFile): string | null {
    const where = `${file.placeOf(said)}, ${said.word}`;
    const takesValue = option.required || option.optional;
    if (!takesValue) {
      if (typeof said.value !== 'boolean')
        throw new UsageError({
          got: JSON.stringify(said.value).slice(0, 80),
          expected: 'true or false',
          where,
          remedy: 'Correct it there.',
        });
      this.setOptionValueWithSource(option.attributeName(), said.value, 'config');
      return said.value ? null : 'false';
    }
    const text = textOf(said.value, where, /<(list|kinds)>/.test(option.flags));
    try {
      const value: unknown = option.parseArg ? option.parseArg(text, undefined as never) : text;
      this.setOptionValueWithSource(option.attributeName(), value, 'config');
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      const { got, expected } = cause;
      throw new UsageError({ got, expected, where, remedy: 'Correct it there.' }, { cause });
    }
    return text;
  }

  #tell(file: string, words: Configured['words'], overruled: readonly string[]): void {
    const taken = Object.entries(words).map(([flag, text]) =>
      text === null ? flag : `${flag} ${/^\S+$/.test(text) ? text : JSON.stringify(text)}`,
    );
    const passed = overruled.length === 0 ? '' : `; not ${overruled.join(', ')}, which the command line has`;
    const said = taken.length === 0 ? 'nothing for this command' : taken.join(' ');
    this.#terminal.note(`orchard: options of ${file}: ${said}${passed}`);
  }
}

function hasOption(command: Command, word: string): boolean {
  return command.options.some(({ long, negate }) => long === `--${word}` && !negate);
}

/**
 * A file that was found, rather than named, may have come with another user's folder.
 *
 * @throws UsageError where it would have a command write anywhere but below that folder
 */
function checkPlace(said: SaidWord, file: ConfigurationFile): void {
  const { word, value } = said;
  if (!writing.includes(word) || typeof value !== 'string') return;
  if (!isAbsolute(value) && normalize(value).split(sep)[0] !== '..') return;
  throw new UsageError({
    got: JSON.stringify(value.slice(0, 80)),
    expected: 'a place below the folder of the file, which was read without being named',
    where: `${file.placeOf(said)}, ${word}`,
    remedy: `Say --${word} on the command line, or name the file by --config.`,
  });
}

/** @throws UsageError for a word that no command has as an option, or that files may not give */
function checkWord(said: ConfiguredWord, file: ConfigurationFile, commands: readonly Command[]): void {
  const { command: name, word } = said;
  const all = commands.filter((command) => hasOption(command, 'config'));
  const some = name === null ? all : all.filter((command) => command.name() === name);
  const refuse = (got: string, expected: string, remedy: string): never => {
    throw new UsageError({ got, expected, where: file.placeOf(said), remedy });
  };
  if (some.length === 0) {
    const names = all.map((command) => command.name());
    const expected = `options at the top, or below the name of a command: ${names.join(', ')}`;
    refuse(`[${name!}]`, expected, didYouMean(name!, names) ?? 'Correct the name.');
  }
  if (word === null) return;
  const reason = Object.hasOwn(refused, word) ? refused[word] : undefined;
  if (reason !== undefined) refuse(word, `options that a file may give: ${reason}`, 'Leave it out.');
  if (some.some((command) => hasOption(command, word))) return;
  const words = some.flatMap(({ options }) => options.map(({ long = '' }) => long.slice(2)));
  const known = [...new Set(words)].filter((one) => !Object.hasOwn(refused, one) && !one.startsWith('no-'));
  const positive = word.startsWith('no-') ? word.slice(3) : null;
  const remedy =
    positive !== null && known.includes(positive)
      ? `Write ${positive} = false.`
      : (didYouMean(word.replaceAll('_', '-'), known) ?? `orchard help ${name ?? 'train'} lists them.`);
  refuse(
    JSON.stringify(word.slice(0, 60)),
    name === null ? 'an option of some command, without dashes before it' : `an option of orchard ${name}`,
    remedy,
  );
}

/** As the command line would say it, where the items of a list stand between commas. */
function textOf(value: TomlValue, where: string, isList: boolean): string {
  const refuse = (got: TomlValue, expected: string): never => {
    throw new UsageError({ got: JSON.stringify(got).slice(0, 80), expected, where, remedy: 'Correct it there.' });
  };
  const plain = (one: TomlValue): string =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'bigint'
      ? String(one)
      : refuse(one, isList ? 'texts in quotes, or numbers' : 'a text in quotes, or a number');
  if (!isList || !Array.isArray(value)) return plain(value);
  return value
    .map((item) => {
      const text = plain(item);
      return text.includes(',') ? refuse(item, 'an item of its own for each, none with a comma') : text;
    })
    .join(',');
}
