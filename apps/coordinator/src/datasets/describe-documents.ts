import { KINDS, MISSING_MARKS, TABLE_FORMATS, tableDefaults, type Kind } from '@orchard/dataset';
import type { TableFileOptions, TableFormat, TableOptionName, TableOptions, TextOptions } from '@orchard/dataset';
import { z } from 'zod';
import { CoordinatorError } from '../errors.js';

/** Media types that say a format of tables, and those that leave it to the content. */
export const tableTypes: Readonly<Record<string, TableFormat | null>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/json': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/x-ndjson': 'jsonl',
  'application/x-libsvm': 'libsvm',
  'application/x-npy': 'npy',
  'application/vnd.apache.parquet': 'parquet',
  'application/vnd.apache.arrow.file': 'arrow',
  'application/vnd.apache.arrow.stream': 'arrow',
  'application/octet-stream': null,
  'application/gzip': null,
  'text/plain': null,
  'application/x-www-form-urlencoded': null,
};

const kinds = KINDS.join(', ');
/** One line, of no more than a URL can bear: Node refuses one of over 16 KiB without an answer of ours. */
const line = z
  .string()
  .max(8192)
  .regex(/^[^\r\n]*$/);
const text = line.min(1);
export const columnName = text;
const delimiters: Readonly<Record<string, string>> = { tab: '\t', space: ' ' };
/** How a text is written: the parameters of everything that reads a file. */
export const textParameters = {
  encoding: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_:.-]{0,39}$/)
    .optional()
    .meta({
      description: 'the encoding of a text, as windows-1252 or big5; UTF-8, or UTF-16 by its mark, unless given',
    }),
  skip: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'lines above the rows of a text that are passed over; 0 unless given' }),
  comment: z
    .string()
    .regex(/^[^\s"][^\r\n"]{0,63}$/)
    .optional()
    .meta({ description: 'lines of a text that begin with this are passed over, as #' }),
  quote: z.enum(['"', "'", 'none']).optional().meta({
    description: 'what stands around cells that hold a delimiter; inferred from the first lines unless given',
  }),
  escape: z
    .string()
    .regex(/^[#$%&()*/:<=>?@[\\\]^_\x60{}~!]$/)
    .optional()
    .meta({ description: 'a character that takes the next one as text, as \\; quotes are doubled unless given' }),
};

/** How problems call them. */
export const textWords = {
  encoding: '?encoding=',
  skip: '?skip=',
  comment: '?comment=',
  quote: '?quote=',
  escape: '?escape=',
} as const satisfies Record<keyof TextOptions, string>;

const option = (schema: z.ZodType<number>, what: string) => schema.optional().meta({ description: what });

/** How a file becomes a table, and what its columns are: the words of `orchard describe`. */
export const describeQuerySchema = z.strictObject({
  format: z
    .enum(TABLE_FORMATS)
    .optional()
    .meta({ description: `${TABLE_FORMATS.join(', ')}: goes before what Content-Type and content say` }),
  header: z
    .enum(['auto', 'yes', 'no'])
    .optional()
    .meta({ description: 'auto, yes or no: whether line 1 of a text holds names' }),
  delimiter: z
    .string()
    .regex(/^([^"\r\n]|tab|space)$/u, { abort: true })
    // a schema counts characters, and the reader takes those of one UTF-16 unit
    .refine((delimiter) => delimiter.length === 1 || Object.hasOwn(delimiters, delimiter))
    .optional()
    .meta({ description: 'one character between the cells of a text, or tab, or space' }),
  decimal: z.enum(['.', ',']).optional().meta({ description: '. or ,: what stands before the decimals' }),
  missing: line.optional().meta({
    description: `what marks a missing value beside empty cells, joined by commas; ${MISSING_MARKS.filter((mark) => mark !== '').join(', ')} unless given`,
  }),
  names: text.optional().meta({ description: 'names of the columns, for files without, joined by commas' }),
  'zero-based': z
    .boolean()
    .optional()
    .meta({ description: 'true or false: whether the indexes of a libsvm body count from 0; false' }),
  ...textParameters,
  types: text.optional().meta({ description: `what columns are, as zip=categorical, joined by commas: ${kinds}` }),
  exclude: text.optional().meta({ description: 'columns that are left out, joined by commas' }),
  strict: z.boolean().optional().meta({
    description:
      'true or false: whether a cell that does not fit its column is refused, rather than a missing value; false',
  }),
  dates: z.enum(['dmy', 'mdy']).optional().meta({
    description: 'dmy or mdy: what comes first in dates as 03/04/2025; inferred from the column unless given',
  }),
  bins: option(z.int().min(2).max(4096), `most bins of a column of numbers, 2 to 4096; ${tableDefaults.bins}`),
  'cut-points': option(
    z.int().min(1).max(4095),
    `places at which others may split a column of numbers, 1 to 4095; ${tableDefaults.cutPoints}`,
  ),
  'max-categories': option(
    z.int().min(1).max(4096),
    `labels of a column that are distinguished, 1 to 4096; ${tableDefaults.maxCategories}`,
  ),
});

export type DescribeQuery = z.infer<typeof describeQuerySchema>;

export const descriptionSchema = z.strictObject({
  format: z.enum(TABLE_FORMATS),
  rows: z.int().min(1),
  notes: z.array(z.string()).meta({ description: 'what was found out and decided in reading' }),
  variables: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(['binary', 'categorical', 'ordered']),
      values: z.string().meta({ description: 'the first labels, or the range' }),
      distinct: z.int().min(1).meta({ description: 'labels, values or bins' }),
      holes: z.int().min(0).meta({ description: 'rows without a value' }),
      warnings: z.array(z.string()),
    }),
  ),
  leftOut: z.array(
    z.strictObject({
      name: z.string(),
      why: z.string(),
      countsFrom: z.int().optional().meta({ description: 'the first number of a column that counts the rows' }),
    }),
  ),
});

/** How problems call an option of the reader. */
const optionWords: Readonly<Record<TableOptionName, string | null>> = {
  format: '?format=',
  header: '?header=yes or ?header=no',
  delimiter: '?delimiter=',
  decimal: '?decimal=,',
  names: '?names=',
  zeroBased: '?zero-based=true',
  missing: '?missing=',
  ...textWords,
  maxLineBytes: null,
  maxUnpackedBytes: null,
  types: '?types=',
  dates: '?dates=',
};

/** The reader's options, as far as the query says them. */
export function tableFileOptionsOf(query: DescribeQuery): TableFileOptions {
  const { header, delimiter, decimal, missing, names, encoding, skip, comment, quote, escape } = query;
  return {
    header: header === undefined || header === 'auto' ? 'auto' : header === 'yes',
    delimiter: delimiter === undefined ? undefined : (delimiters[delimiter] ?? delimiter),
    decimal,
    missing: missing === undefined ? undefined : [...new Set(['', ...missing.split(',')])],
    names: names?.split(','),
    zeroBased: query['zero-based'],
    encoding,
    skip,
    comment,
    quote,
    escape,
    strict: query.strict,
    wordFor: (name) => optionWords[name],
  };
}

/** What is said of the columns. @throws CoordinatorError `invalid-request` for a kind that there is not */
export function tableOptionsOf(query: DescribeQuery): TableOptions {
  const { types, exclude, bins } = query;
  const excluded = (exclude?.split(',') ?? []).map((name): [string, Kind] => [name, 'excluded']);
  return {
    types: Object.fromEntries([...(types?.split(',') ?? []).map(kindOf), ...excluded]),
    dates: query.dates,
    bins,
    cutPoints: query['cut-points'],
    maxCategories: query['max-categories'],
  };
}

function kindOf(said: string): [string, Kind] {
  const at = said.lastIndexOf('=');
  const [name, kind] = [said.slice(0, at).trim(), said.slice(at + 1).trim()];
  if (at > 0 && (KINDS as readonly string[]).includes(kind)) return [name, kind as Kind];
  throw new CoordinatorError('over-limit', {
    got: JSON.stringify(said.slice(0, 80)),
    expected: `a column and what it is, as zip=categorical: ${kinds}`,
    where: 'query, "types"',
    remedy: 'Correct the parameter.',
  });
}
