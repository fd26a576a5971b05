import {
  FORMATS,
  TABLE_FORMATS,
  type Format,
  type OptionName,
  type ReadOptions,
  type TableOptionName,
  type TextOptions,
} from '@orchard/dataset';
import { headings } from './help-places.js';
import { UsageError } from '../output/errors.js';
import { flagOfWord } from './flag-of-word.js';
import { lists, number, ofForm, oneOf, wholeNumber } from './values.js';
import { option, rare, under, type Parsed } from './option.js';

/** All formats of files, whether of rows of bits or of tables. */
const formats = [...new Set([...FORMATS, ...TABLE_FORMATS])];
export type FileFormat = (typeof formats)[number];

/** How texts are written, whatever is made of them. */
const saidOfTexts = [
  'encoding',
  'skip',
  'comment',
  'quote',
  'escape',
] as const satisfies readonly (keyof TextOptions)[];

/** The options that say how files become bits. */
export const datasetOptions = () =>
  under(headings.data, [
    option(
      '--missing <list>',
      'marks of a missing value (default: empty, ?, NA, n/a, NaN, null, None and forms of these)',
      lists,
    ),
    option(
      '--threshold <value>',
      '0/1 data: values above this are 1, the others 0',
      number('a finite number', () => true),
    ),
    rare('--format <format>', `${formats.join(', ')} (default: by content and file name)`, oneOf(formats)),
    rare(
      '--header <when>',
      'whether the first line of a CSV or TSV file has names: auto, yes or no (default: auto)',
      oneOf(['auto', 'yes', 'no']),
    ),
    rare(
      '--encoding <name>',
      'encoding of a text file, as windows-1252 or big5 (default: UTF-8, or UTF-16 by its mark)',
    ),
    rare(
      '--skip <n>',
      'lines above the table of a text file that are passed over (default: 0)',
      wholeNumber(0, 2 ** 31),
    ),
    rare('--comment <text>', 'pass over the lines of a text file that begin with this, as "#"'),
    rare(
      '--quote <mark>',
      'what stands around cells that hold a delimiter: \'"\', "\'" or none (default: by the first lines)',
      oneOf(['"', "'", 'none']),
    ),
    rare(
      '--escape <character>',
      'takes the next character of a CSV or TSV file as text, as \\ in \\" (default: quotes are doubled)',
    ),
    rare('--columns <list>', '0/1 data: the columns to keep, by name, number from 1 or range (2-785)', lists),
    rare(
      '--binarize <how>',
      'bernoulli: each value is the probability of a 1, which is sampled with the seed',
      oneOf(['bernoulli']),
    ),
    rare(
      '--scale <value>',
      'for --binarize: the value that means probability 1 (default: 255 for bytes of IDX and NPY, else 1)',
      number('a number above 0', (value) => value > 0),
    ),
    rare('--one-hot <list>', '0/1 data: categorical columns to split into columns named column=value', lists),
    rare(
      '--shape <HxW>',
      'height and width of the image in each row: 28x28',
      ofForm('height x width, as 28x28', shapeIn),
    ),
    rare('--dimensions <D>', 'number of columns of a libsvm file', wholeNumber(1, 2 ** 20)),
    rare('--zero-based', 'indexes of a libsvm file start at 0 (default: at 1)'),
    rare(
      '--max-cells <n>',
      'refuse files with more rows x columns (default: 2^33)',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    ),
    rare('--max-line-bytes <n>', 'refuse text with longer lines (default: 2^24)', wholeNumber(1, 2 ** 31)),
  ]);

/** As they are parsed; `seed` comes from the command's own option. */
export type DatasetOptions = Parsed<typeof datasetOptions> & { readonly seed?: number };

/** What the reader of rows of bits takes as it is said. */
const saidOfBits = [
  ...['threshold', 'binarize', 'scale', 'oneHot', 'missing', 'shape', 'dimensions', 'zeroBased'],
  ...['maxCells', 'maxLineBytes', ...saidOfTexts],
] as const;

/**
 * The reader's options. `file` counts the files of a command: each is binarized with a seed of its own, or validation
 * rows would repeat the noise of the training rows.
 */
export function readOptions(options: DatasetOptions, file: number, onNote: (note: string) => void): ReadOptions {
  const { format, columns, header = 'auto', seed = 0 } = options;
  return {
    ...partOf(options, saidOfBits),
    format: format === undefined ? undefined : formatOfBits(format),
    columns: columns?.map((column) => (/^\d+$/.test(column) ? Number(column) : column)),
    header: header === 'auto' ? header : header === 'yes',
    seed: seed + file,
    onNote,
    wordFor: flagOfReader,
  };
}

/** How texts are written, whatever is made of them. */
export function textOptions(options: DatasetOptions): TextOptions {
  return partOf(options, saidOfTexts);
}

/** @throws UsageError for a format that only tables have */
function formatOfBits(format: FileFormat): Format {
  if (isFormatOfBits(format)) return format;
  throw new UsageError({
    got: `${format}, a format of tables`,
    expected: `one of rows of bits: ${FORMATS.join(', ')}`,
    where: '--format',
    remedy: 'Write the rows as CSV or NPY, or leave out what makes them rows of bits.',
  });
}

/** Whether rows of bits are read from it. */
export function isFormatOfBits(format: FileFormat): format is Format {
  return (FORMATS as readonly string[]).includes(format);
}

/** Options of readers that are called otherwise here, or with a value; null where the command line has none. */
const otherFlags: Readonly<Record<string, string | null>> = {
  header: '--header yes or no',
  binarize: '--binarize bernoulli',
  decimal: '--decimal ,',
  types: '--type',
  categoriesOf: null,
  maxUnpackedBytes: null,
};

/** How messages call an option of a reader; null where the command line has none. */
export function flagOfReader(option: OptionName | TableOptionName): string | null {
  const other = otherFlags[option];
  return other === undefined ? flagOfWord(option) : other;
}

/** What of some options is said under these names. */
function partOf<Options extends object, Name extends keyof Options>(
  options: Options,
  names: readonly Name[],
): Pick<Options, Name> {
  return Object.fromEntries(names.map((name) => [name, options[name]])) as Pick<Options, Name>;
}

function shapeIn(text: string): readonly [height: number, width: number] | undefined {
  const match = /^(\d{1,7})x(\d{1,7})$/i.exec(text.trim());
  const [height, width] = [Number(match?.[1]), Number(match?.[2])];
  return height >= 1 && width >= 1 ? [height, width] : undefined;
}
