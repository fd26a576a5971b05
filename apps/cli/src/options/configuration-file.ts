import { readFileSync } from 'node:fs';
import { parse, TomlDate, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { UsageError, messageOf } from '../output/errors.js';

/** The file that is read where none is named. */
export const USUAL_FILE = 'orchard.toml';

/** Longer ones are not a list of options. */
const MOST_BYTES = 2 ** 20;

/** A word and its value, of one command or, where `command` is null, of all that have such an option. */
export interface ConfiguredWord {
  readonly command: string | null;
  /** Null for the name of a command with nothing below it. */
  readonly word: string | null;
  readonly value: TomlValue;
}

/** A file of options: what it says, and in which lines. */
export interface ConfigurationFile {
  readonly path: string;
  readonly words: readonly ConfiguredWord[];
  /** `orchard.toml, line 3`: where messages point. */
  placeOf(word: Pick<ConfiguredWord, 'command' | 'word'>): string;
}

/** @throws UsageError for what cannot be read, and for what is not TOML, with its line */
export function readConfigurationFile(path: string): ConfigurationFile {
  const text = textOf(path);
  const words = Object.entries(parsed(text, path)).flatMap(([key, value]): ConfiguredWord[] => {
    if (!isTable(value)) return [{ command: null, word: key, value }];
    const below = Object.entries(value).map(([word, inner]) => ({ command: key, word, value: inner }));
    return below.length === 0 ? [{ command: key, word: null, value }] : below;
  });
  const placeOf = ({ command, word }: Pick<ConfiguredWord, 'command' | 'word'>): string =>
    `${path}, line ${String(
      lineOf(
        text,
        [command, word].filter((key) => key !== null),
      ),
    )}`;
  return { path, words, placeOf };
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof TomlDate);
}

function textOf(path: string): string {
  const expected = 'a file of options, in TOML';
  const refuse = (got: string, cause?: unknown): never => {
    const remedy = 'Correct it, name another by --config, or read none by --no-config.';
    throw new UsageError({ got, expected, where: '--config', remedy }, { cause });
  };
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    return refuse(`${path}, which cannot be read (${messageOf(cause)})`, cause);
  }
  if (bytes.length > MOST_BYTES) return refuse(`${path}, which has ${String(bytes.length)} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    return refuse(`${path}, which is not UTF-8`, cause);
  }
}

function parsed(text: string, path: string): TomlTable {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [said = ''] = cause.message.split('\n');
    throw new UsageError(
      {
        got: said.replace(/^Invalid TOML document: /, ''),
        expected: 'TOML: word = value, texts in quotes',
        where: `${path}, line ${String(cause.line)}`,
        remedy: 'Correct the line, or read no file by --no-config.',
      },
      { cause },
    );
  }
}

/**
 * The line in which a value is begun: after the longest beginning of the file that is TOML by itself and has no such
 * value. Costs a parse for each line, and is asked for in messages alone.
 */
function lineOf(text: string, path: readonly string[]): number {
  const lines = text.split('\n');
  let begun = 1;
  for (let count = 1; count <= lines.length; count++) {
    const document = tryParse(lines.slice(0, count).join('\n'));
    if (document === null) continue;
    if (has(document, path)) return begun;
    begun = count + 1;
  }
  return begun;
}

function tryParse(text: string): TomlTable | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function has(table: TomlTable, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const value = Object.hasOwn(table, key) ? table[key]! : undefined;
  return value !== undefined && (rest.length === 0 || (isTable(value) && has(value, rest)));
}
