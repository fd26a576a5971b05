import {
  FORMATS,
  TABLE_FORMATS,
  type Format,
  type OptionName,
  type ReadOptions,
  type TextOptions,
} from '@orchard/dataset';
import { Option, type Command } from 'commander';
import { headings, rarely } from '../command-line/help-places.js';
import { UsageError } from '../errors.js';
import { lists, number, ofForm, oneOf, wholeNumber } from './values.js';

/** All formats of files, whether of rows of bits or of tables. */
const formats = [...new Set([...FORMATS, ...TABLE_FORMATS])];
export type FileFormat = (typeof formats)[number];

/** The parsed options about files of rows; `seed` comes from the command's own option. */
export interface DatasetOptions {
  readonly format?: FileFormat;
  readonly header?: 'auto' | 'yes' | 'no';
  readonly columns?: readonly string[];
  readonly threshold?: number;
  readonly binarize?: 'bernoulli';
  readonly scale?: number;
  readonly oneHot?: readonly string[];
  readonly missing?: readonly string[];
  readonly shape?: readonly [number, number];
  readonly dimensions?: number;
  readonly zeroBased?: boolean;
  readonly maxCells?: number;
  readonly maxLineBytes?: number;
  readonly encoding?: string;
  readonly skip?: number;
  readonly comment?: string;
  readonly quote?: '"' | "'" | 'none';
  readonly escape?: string;
  readonly seed?: number;
}

/** Adds the options that say how files become bits. */
export function addDatasetOptions(command: Command): Command {
  const options = [
    new Option(
      '--missing <list>',
      'marks of a missing value (default: empty, ?, NA, n/a, NaN, null, None and forms of these)',
    ).argParser(lists),
    new Option('--threshold <value>', '0/1 data: values above this are 1, the others 0').argParser(
      number('--threshold', 'a finite number', () => true),
    ),
    rarely(
      new Option('--format <format>', `${formats.join(', ')} (default: by content and file name)`).argParser(
        oneOf('--format', formats),
      ),
    ),
    rarely(
      new Option(
        '--header <when>',
        'whether the first line of a CSV or TSV file has names: auto, yes or no (default: auto)',
      ).argParser(oneOf('--header', ['auto', 'yes', 'no'])),
    ),
    rarely(
      new Option(
        '--encoding <name>',
        'encoding of a text file, as windows-1252 or big5 (default: UTF-8, or UTF-16 by its mark)',
      ),
    ),
    rarely(
      new Option('--skip <n>', 'lines above the table of a text file that are passed over (default: 0)').argParser(
        wholeNumber('--skip', 0, 2 ** 31),
      ),
    ),
    rarely(new Option('--comment <text>', 'pass over the lines of a text file that begin with this, as "#"')),
    rarely(
      new Option(
        '--quote <mark>',
        'what stands around cells that hold a delimiter: \'"\', "\'" or none (default: by the first lines)',
      ).argParser(oneOf('--quote', ['"', "'", 'none'])),
    ),
    rarely(
      new Option(
        '--escape <character>',
        'takes the next character of a CSV or TSV file as text, as \\ in \\" (default: quotes are doubled)',
      ),
    ),
    rarely(
      new Option(
        '--columns <list>',
        '0/1 data: the columns to keep, by name, number from 1 or range (2-785)',
      ).argParser(lists),
    ),
    rarely(
      new Option(
        '--binarize <how>',
        'bernoulli: each value is the probability of a 1, which is sampled with the seed',
      ).argParser(oneOf('--binarize', ['bernoulli'])),
    ),
    rarely(
      new Option(
        '--scale <value>',
        'for --binarize: the value that means probability 1 (default: 255 for bytes of IDX and NPY, else 1)',
      ).argParser(number('--scale', 'a number above 0', (value) => value > 0)),
    ),
    rarely(
      new Option(
        '--one-hot <list>',
        '0/1 data: categorical columns to split into columns named column=value',
      ).argParser(lists),
    ),
    rarely(
      new Option('--shape <HxW>', 'height and width of the image in each row: 28x28').argParser(
        ofForm('--shape', 'height x width, as 28x28', shapeIn),
      ),
    ),
    rarely(
      new Option('--dimensions <D>', 'number of columns of a libsvm file').argParser(
        wholeNumber('--dimensions', 1, 2 ** 20),
      ),
    ),
    rarely(new Option('--zero-based', 'indexes of a libsvm file start at 0 (default: at 1)')),
    rarely(
      new Option('--max-cells <n>', 'refuse files with more rows x columns (default: 2^33)').argParser(
        wholeNumber('--max-cells', 1, Number.MAX_SAFE_INTEGER),
      ),
    ),
    rarely(
      new Option('--max-line-bytes <n>', 'refuse text with longer lines (default: 2^24)').argParser(
        wholeNumber('--max-line-bytes', 1, 2 ** 31),
      ),
    ),
  ];
  for (const option of options) command.addOption(option.helpGroup(headings.data));
  return command;
}

/**
 * The reader's options. `file` counts the files of a command: each is binarized with a seed of its own, or validation
 * rows would repeat the noise of the training rows.
 */
export function readOptions(options: DatasetOptions, file: number, onNote: (note: string) => void): ReadOptions {
  const { header = 'auto', seed = 0, ...rest } = options;
  return {
    format: rest.format === undefined ? undefined : formatOfBits(rest.format),
    columns: rest.columns?.map((column) => (/^\d+$/.test(column) ? Number(column) : column)),
    threshold: rest.threshold,
    binarize: rest.binarize,
    scale: rest.scale,
    oneHot: rest.oneHot,
    missing: rest.missing,
    shape: rest.shape,
    dimensions: rest.dimensions,
    zeroBased: rest.zeroBased,
    maxCells: rest.maxCells,
    maxLineBytes: rest.maxLineBytes,
    ...textOptions(rest),
    header: header === 'auto' ? header : header === 'yes',
    seed: seed + file,
    onNote,
    wordFor: flagOf,
  };
}

/** How texts are written, whatever is made of them. */
export function textOptions({ encoding, skip, comment, quote, escape }: DatasetOptions): TextOptions {
  return { encoding, skip, comment, quote, escape };
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

/** How messages call an option of texts. */
export const flagsOfTexts = {
  encoding: '--encoding',
  skip: '--skip',
  comment: '--comment',
  quote: '--quote',
  escape: '--escape',
} as const satisfies Record<keyof TextOptions, string>;

/** Of each option of the reader, as messages call it; null where the command line has none. */
const flags: Readonly<Record<OptionName, string | null>> = {
  format: '--format',
  header: '--header yes or no',
  columns: '--columns',
  threshold: '--threshold',
  binarize: '--binarize bernoulli',
  seed: '--seed',
  scale: '--scale',
  oneHot: '--one-hot',
  missing: '--missing',
  shape: '--shape',
  dimensions: '--dimensions',
  zeroBased: '--zero-based',
  maxCells: '--max-cells',
  maxLineBytes: '--max-line-bytes',
  ...flagsOfTexts,
  categoriesOf: null,
};

/** How messages call an option of the reader. */
export function flagOf(option: OptionName): string | null {
  return flags[option];
}

function shapeIn(text: string): readonly [number, number] | undefined {
  const match = /^(\d{1,7})x(\d{1,7})$/i.exec(text.trim());
  const [height, width] = [Number(match?.[1]), Number(match?.[2])];
  return height >= 1 && width >= 1 ? [height, width] : undefined;
}
