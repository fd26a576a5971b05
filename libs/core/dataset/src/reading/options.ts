import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { refuseArgument } from '../errors.js';
import { noWord, type OptionWord } from './option-words.js';
import { checkTextOptions, type TextOptions, type TextSyntax } from './text-syntax.js';
import { ValueRule } from '../bit-files/value-rule.js';

/** The formats that are read, each plain or gzipped. `data` is DEBD's: 0/1 separated by commas, never a header. */
export const FORMATS = ['csv', 'tsv', 'data', 'libsvm', 'npy', 'idx'] as const;
export type Format = (typeof FORMATS)[number];

/** How a file becomes bits. Columns are counted from 1, as lines are and as libsvm does. */
export interface ReadOptions extends TextOptions {
  /** @default found by the content, then by the name */
  readonly format?: Format | undefined;
  /** Whether line 1 of a CSV or TSV holds names. @default 'auto' */
  readonly header?: 'auto' | boolean | undefined;
  /** The columns to keep, in this order: names, numbers from 1, or ranges as `'2-785'`. @default all */
  readonly columns?: readonly (string | number)[] | undefined;
  /** Values above it are 1, the others 0. @default none: every value must be 0 or 1 */
  readonly threshold?: number | undefined;
  /** Take a value as the probability of a 1 and draw; needs `seed`. Exclusive with `threshold`. */
  readonly binarize?: 'bernoulli' | undefined;
  /** For `binarize`: the same seed, row and column give the same bit on every machine. Give every file its own. */
  readonly seed?: number | undefined;
  /** For `binarize`: the value that means probability 1. @default 255 for bytes of IDX and NPY, otherwise 1 */
  readonly scale?: number | undefined;
  /** What marks a missing value, in any case; `[]` for none. @default ['?', '', 'NaN'] */
  readonly missing?: readonly string[] | undefined;
  /** Categorical columns of a CSV or TSV, each replaced by columns named `column=category`, in code unit order. */
  readonly oneHot?: readonly (string | number)[] | undefined;
  /**
   * For `oneHot`: the names of the training rows. Columns get their categories, seen in this file or not, and a
   * category that is not among them is refused.
   */
  readonly categoriesOf?: readonly string[] | null | undefined;
  /** Height and width of the image that a row is. @default what the file says */
  readonly shape?: readonly [number, number] | undefined;
  /** D of a libsvm file. @default the highest index in it */
  readonly dimensions?: number | undefined;
  /** Whether the indexes of a libsvm file count from 0. @default false: from 1 */
  readonly zeroBased?: boolean | undefined;
  /** The most rows x dimensions. @default 2^33, a GiB of bits */
  readonly maxCells?: number | undefined;
  /** The longest line of a text, in bytes. @default 2^24 */
  readonly maxLineBytes?: number | undefined;
  /** Whether the result lies in a SharedArrayBuffer. @default false */
  readonly shared?: boolean | undefined;
  /**
   * Called with memory, in bytes, before it is taken, and with a number below 0 when it is released: rows, names,
   * categories, the line at hand. What it throws ends the reading, so that a server takes no more memory than there is.
   */
  readonly onMemory?: ((bytes: number) => void) | undefined;
  /** Called with what is allowed and yet worth saying, as that there is a single column. */
  readonly onNote?: ((note: string) => void) | undefined;
  /** How messages call an option that they advise. @default not at all */
  readonly wordFor?: OptionWord | undefined;
}

/** Columns of a file of which some are chosen; without a choice every column is a dimension, and fewer are allowed. */
export const MAXIMUM_FILE_COLUMNS = 4 * MAXIMUM_DIMENSIONS;

/** {@link ReadOptions} checked, with defaults, and what the parsers share. */
export interface ReadContext {
  /** The source's name in messages. */
  readonly name: string;
  readonly options: ReadOptions;
  readonly header: 'auto' | boolean;
  readonly rule: ValueRule;
  /** Lower case. */
  readonly missing: ReadonlySet<string>;
  /** Whether missing values are welcome. */
  readonly masked: boolean;
  readonly maxCells: number;
  readonly maxLineBytes: number;
  readonly syntax: TextSyntax;
  /** How messages call an option. */
  readonly wordFor: OptionWord;
  /** See {@link ReadOptions.onMemory}. */
  readonly memory: (bytes: number) => void;
}

/** @throws DatasetError with code `argument` on options out of range or against each other. */
export function checkOptions(name: string, options: ReadOptions, masked: boolean): ReadContext {
  const { format, header = 'auto', columns, threshold, binarize, seed, scale, oneHot, shape, dimensions } = options;
  const { maxCells = 2 ** 33, maxLineBytes = 2 ** 24, missing = ['?', '', 'NaN'], wordFor = noWord } = options;
  if (format !== undefined && !FORMATS.includes(format))
    refuseArgument(`the format ${JSON.stringify(format)}`, FORMATS.join(', '), 'Choose one of these, or none.');
  if (threshold !== undefined && !Number.isFinite(threshold))
    refuseArgument(`threshold ${threshold}`, 'a finite number', 'Values above the threshold become 1.');
  if (binarize !== undefined) {
    if (threshold !== undefined)
      refuseArgument(
        `${wordFor('threshold') || 'threshold'} and ${wordFor('binarize') || 'binarize'}`,
        'one of them',
        'Leave one out.',
      );
    if (seed === undefined || !Number.isSafeInteger(seed) || seed < 0)
      refuseArgument(
        `seed ${seed}`,
        'a whole number from 0 to 2^53 - 1',
        'Binarizing draws at random: give it a seed.',
      );
  }
  if (scale !== undefined && !(scale > 0 && Number.isFinite(scale)))
    refuseArgument(`scale ${scale}`, 'a number above 0', 'Give the value that means probability 1, as 255.');
  for (const [what, list] of [
    ['columns', columns],
    ['oneHot', oneHot],
  ] as const)
    if (list?.length === 0)
      refuseArgument(
        `an empty list of ${wordFor(what) || what}`,
        'at least one',
        'Name a column, or leave the option out.',
      );
  for (const [what, value] of [
    ['maxCells', maxCells],
    ['maxLineBytes', maxLineBytes],
    ['dimensions', dimensions ?? 1],
    ['height', shape?.[0] ?? 1],
    ['width', shape?.[1] ?? 1],
  ] as const)
    if (!Number.isSafeInteger(value) || value < 1)
      refuseArgument(`${what} ${value}`, 'a whole number of at least 1', 'Correct it.');
  if (dimensions !== undefined && dimensions > MAXIMUM_DIMENSIONS)
    refuseArgument(`dimensions ${dimensions}`, `at most ${MAXIMUM_DIMENSIONS}`, 'Correct it.');
  return {
    name,
    options,
    header,
    rule: new ValueRule(threshold, binarize === 'bernoulli' ? (seed ?? 0) : undefined, scale, wordFor),
    missing: new Set(missing.map((mark) => mark.trim().toLowerCase())),
    masked,
    maxCells,
    maxLineBytes,
    syntax: checkTextOptions(options),
    wordFor,
    memory: options.onMemory ?? (() => undefined),
  };
}
