import { readFileSync } from 'node:fs';
import {
  KINDS,
  didYouMean,
  tableDefaults,
  type Kind,
  type ReadingOptions,
  type TableFormat,
  type TableFileOptions,
  type TableOptions,
} from '@orchard/dataset';
import { headings } from './help-places.js';
import { UsageError, messageOf } from '../output/errors.js';
import { flagOfReader, isFormatOfBits, textOptions, type DatasetOptions, type FileFormat } from './dataset-options.js';
import { firstSaid } from './flag-of-word.js';
import { columnLists, knowing, list, oneOf, repeatedly, wholeNumber } from './values.js';
import { option, rare, under, type Parsed } from './option.js';
import type { WeightOptions } from './row-weights.js';

/** The options that say how a file becomes a table. */
const tableFileOptions = () =>
  under(headings.data, [
    rare(
      '--delimiter <character>',
      'separates the cells of a text file: a character, tab or space (default: by the first lines)',
      () => knowing([], delimiter),
    ),
    rare('--decimal <mark>', 'decimal mark of numbers: "." or "," (default: .)', oneOf(['.', ','])),
    rare('--names <file>', 'column names, one per line, for files without a header'),
    rare('--strict', 'refuse cells that do not fit their column (default: they are missing values)'),
  ]);

const datesOption = () =>
  rare(
    '--dates <order>',
    'dmy or mdy: what comes first in dates as 03/04/2025 (default: by the column)',
    oneOf(['dmy', 'mdy']),
  );

const typesOption = () =>
  rare(
    '--types <file>',
    'the same as --type, from a file with one column per line; a name in double quotes is read as JSON',
  );

/** The options that say how a file of a table is read for a model that was trained on another. */
export const secondFileOptions = () => [
  ...under(headings.data, [
    rare(
      '--type <list>',
      'types of columns, as the model has them: labels of zip=categorical are compared as they are written, 1 is not 1.0 (default: by value)',
      repeatedly(list),
    ),
    datesOption(),
    typesOption(),
  ]),
  ...tableFileOptions(),
];

/** The options that say what the columns of a table are, instead of having it inferred. */
export const tableOptions = () => [
  ...under(headings.data, [
    option(
      '--type <list>',
      `types of columns, zip=categorical,age=ordered; a type is ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)!} (default: by the values)`,
      repeatedly(list),
    ),
    option('--exclude <list>', 'columns to leave out', columnLists),
    datesOption(),
    typesOption(),
    rare('--bins <n>', `most bins of a numeric column (default: ${tableDefaults.bins})`, wholeNumber(2, 4096)),
    rare(
      '--cut-points <n>',
      `most values at which trees may split a numeric column (default: ${tableDefaults.cutPoints})`,
      wholeNumber(1, 4095),
    ),
    rare(
      '--max-categories <n>',
      `most categories of a column; the rarest become "(other)" (default: ${tableDefaults.maxCategories})`,
      wholeNumber(1, 4096),
    ),
  ]),
  ...tableFileOptions(),
];

type TableFileWords = Parsed<typeof tableFileOptions>;
export type SecondFileWords = Parsed<typeof secondFileOptions>;
export type TableWords = Parsed<typeof tableOptions> & WeightOptions;

/** Options that only rows of bits have. */
const ofBits = ['columns', 'threshold', 'binarize', 'scale', 'oneHot', 'shape', 'dimensions'] as const;
/** Options that only files of tables have. */
const ofTableFiles = ['delimiter', 'decimal', 'names'] as const;
/** Options that say what the columns of a table are. */
const ofColumns = ['type', 'types', 'exclude', 'bins', 'cutPoints', 'maxCategories', 'rowWeights'] as const;

/** Whether something was said that only a table has. */
export function saysTable(words: TableWords & Pick<DatasetOptions, 'format'>): boolean {
  const { format } = words;
  const isOfTables = format !== undefined && !isFormatOfBits(format);
  return isOfTables || firstSaid(words, [...ofTableFiles, ...ofColumns]) !== null;
}

/** What {@link saysTable} asks, of rows of bits: their reader takes no table. */
export function saysBits(options: DatasetOptions): boolean {
  return options.format === 'data' || wordOfBits(options) !== null;
}

/** @throws UsageError for an option that only rows of bits have, where a table is read */
export function refuseWordsOfBits(options: DatasetOptions): void {
  const word = wordOfBits(options);
  if (word === null) return;
  throw new UsageError({
    got: `${word}, which says how a file becomes rows of bits`,
    expected: 'options of tables: what is read here is a table, in its own words',
    where: word,
    remedy: 'Leave it out.',
  });
}

/** @throws UsageError for an option that only files of tables have, where rows of bits are read */
export function refuseWordsOfTableFiles(words: SecondFileWords): void {
  const word = firstSaid(words, [...ofTableFiles, 'dates', 'type', 'types']);
  if (word === null) return;
  throw new UsageError({
    got: `${word}, which says how the file of a table is read`,
    expected: 'options of rows of bits: that is what the network is of',
    where: word,
    remedy: 'Leave it out; cells of rows of bits stand between commas, or tabs (--format tsv).',
  });
}

function wordOfBits(options: DatasetOptions): string | null {
  return options.format === 'idx' ? '--format idx' : firstSaid(options, ofBits);
}

/** The reader's options. */
export function readingOfFile(words: TableFileWords & DatasetOptions): TableFileOptions {
  const { format, header = 'auto', missing, maxLineBytes, zeroBased, delimiter: between, decimal } = words;
  const { names, strict } = words;
  return {
    format: tableFormatOf(format),
    header: header === 'auto' ? header : header === 'yes',
    missing: missing === undefined ? undefined : [...new Set(['', ...missing])],
    maxLineBytes,
    ...textOptions(words),
    zeroBased,
    delimiter: between ?? (format === 'tsv' ? '\t' : undefined),
    decimal,
    strict,
    names: names === undefined ? undefined : linesOf(names, '--names'),
    wordFor: flagOfReader,
  };
}

/**
 * What a table calls the format: text with any delimiter is one.
 *
 * @throws UsageError for a format that only rows of bits have
 */
function tableFormatOf(format: FileFormat | undefined): TableFormat | undefined {
  if (format === 'idx') refuseWordsOfBits({ format });
  const isText = format === 'tsv' || format === 'data';
  return isText ? 'csv' : (format as TableFormat | undefined);
}

/** What is said of the columns of a file that a model reads. @throws UsageError for a kind that there is not */
export function readingOptions(words: SecondFileWords): ReadingOptions {
  return { dates: words.dates, types: Object.fromEntries(kindsOf(words)) };
}

function kindsOf({ type = [], types }: Pick<SecondFileWords, 'type' | 'types'>): [string, Kind][] {
  return [...(types === undefined ? [] : linesOf(types, '--types')), ...type].map(kindOf);
}

/** What is said of the columns. @throws UsageError for a kind that there is not */
export function readingOfColumns(words: TableWords, onNote: (note: string) => void): TableOptions {
  const { exclude = [], dates, bins, cutPoints, maxCategories, rowWeights } = words;
  const said = kindsOf(words);
  return {
    types: Object.fromEntries([...said, ...exclude.map((name): [string, Kind] => [name, 'excluded'])]),
    dates,
    bins,
    cutPoints,
    maxCategories,
    weights: rowWeights,
    onNote,
  };
}

function kindOf(text: string): [string, Kind] {
  const at = text.lastIndexOf('=');
  const [name, kind] = [nameWritten(text.slice(0, at).trim()), text.slice(at + 1).trim()];
  if (at > 0 && (KINDS as readonly string[]).includes(kind)) return [name, kind as Kind];
  throw new UsageError({
    got: JSON.stringify(text),
    expected: `a column and what it is, as zip=categorical: ${KINDS.join(', ')}`,
    where: '--type',
    remedy:
      (at > 0 ? didYouMean(kind, KINDS) : null) ?? 'Numbers, dates and times are ordered; labels are categorical.',
  });
}

/** A name in double quotes is JSON's, with blanks at its ends and line breaks; any other is as it stands. */
function nameWritten(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** The lines of a file that an option names, without empty ones. @throws UsageError */
export function linesOf(file: string, option: string, expected = 'a file of lines'): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch (cause) {
    throw new UsageError(
      {
        got: `${file}, which cannot be read (${messageOf(cause)})`,
        expected,
        where: option,
        remedy: 'Check the path.',
      },
      { cause },
    );
  }
}

function delimiter(text: string): string {
  const named: Readonly<Record<string, string>> = {
    tab: '\t',
    '\\t': '\t',
    space: ' ',
    comma: ',',
    semicolon: ';',
    pipe: '|',
  };
  return named[text] ?? text;
}
