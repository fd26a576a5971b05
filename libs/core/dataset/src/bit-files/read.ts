import { ArrayParser } from './array-parser.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { BitCells } from './delimited.js';
import type { DigitRows } from '../rows/digit-rows.js';
import { DatasetError } from '../errors.js';
import { readIdxHead } from './idx.js';
import { SparseBits } from './libsvm.js';
import { readNpyHead } from './npy.js';
import { detectFile, extensionOf, isGzip, type FileFormat } from '../reading/detect.js';
import { withWord } from '../reading/option-words.js';
import { checkOptions, type Format, type ReadContext, type ReadOptions } from '../reading/options.js';
import type { ReadRows } from './row-sink.js';
import { nameOf, readBytes, type Source } from '../reading/source.js';
import { unzipped } from '../reading/unpacked.js';
import { textHead } from '../table-files/lines/text-encoding.js';
import { textPieces } from '../table-files/lines/text-pieces.js';

/** Rows with missing values: where the bit of `known` is 0, that of `values` is 0 and means nothing. */
export interface MaskedRows {
  readonly values: BitMatrix;
  readonly known: BitMatrix;
}

const NAMES = {
  parquet: 'a Parquet file',
  arrow: 'an Arrow file',
  npz: 'an archive of NumPy arrays',
  jsonl: 'JSON lines',
} as const;

const HEAD_BYTES = 1 << 16;
const NEWLINE = 10;

/**
 * Reads a data set. The file is streamed: beside the packed bits, memory is constant.
 * @throws DatasetError on anything that is not exactly the rows of bits that were promised; nothing is half read.
 */
export async function readDataset(source: Source, options: ReadOptions = {}): Promise<BitMatrix> {
  const { values } = await read(source, checkOptions(nameOf(source), options, false));
  return values;
}

/**
 * As {@link readDataset}, where a text that is refused may still be a table.
 * @param onDigits gets the rows of digits that were read before the refusal, if any
 */
export async function readBitsOr(
  source: Source,
  options: ReadOptions,
  onDigits: (rows: DigitRows) => void,
): Promise<BitMatrix> {
  const { values } = await read(source, checkOptions(nameOf(source), options, false), onDigits);
  return values;
}

/** Reads rows in which values may be missing (`?`, empty, NaN), for completion. Otherwise as {@link readDataset}. */
export async function readMasked(source: Source, options: ReadOptions = {}): Promise<MaskedRows> {
  const { values, known } = await read(source, checkOptions(nameOf(source), options, true));
  return { values, known: known! };
}

type OnDigits = Parameters<typeof readBitsOr>[2];

async function read(source: Source, context: ReadContext, onDigits?: OnDigits): Promise<ReadRows> {
  const bytes = readBytes(source);
  const rows = await peek(bytes, 2, null, (head, all) =>
    peek(isGzip(head) ? unzipped(all, context.name) : all, HEAD_BYTES, NEWLINE, (first, text) =>
      readAs(context, first, text, onDigits),
    ),
  );
  if (rows.values.dimensions === 1)
    context.options.onNote?.(`${context.name} has one column: there is nothing to learn but how often it is 1.`);
  return rows;
}

async function readAs(
  context: ReadContext,
  head: Uint8Array,
  all: AsyncIterable<Uint8Array>,
  onDigits?: OnDigits,
): Promise<ReadRows> {
  const { name, options, wordFor, syntax } = context;
  const asked = FORMAT_OF_CONTENT[options.format ?? 'any'];
  const { format, delimiter } = detectFile(head, { name, format: asked, expected: EXPECTED, wordFor, syntax });
  if (format === 'npy' || format === 'idx') {
    const array = new ArrayParser(context, format === 'npy' ? readNpyHead : readIdxHead);
    for await (const chunk of all) array.push(chunk);
    return array.end();
  }
  if (format !== 'csv' && format !== 'libsvm')
    throw new DatasetError('format', {
      got: NAMES[format],
      expected: EXPECTED,
      where: name,
      remedy: `Write it as one of these, or ${withWord(wordFor, 'give the format', 'format')} if the name misleads.`,
    });
  const cells = format === 'csv' ? new BitCells(withHeader(context), between(context, head, delimiter)) : null;
  const text = cells ?? new SparseBits(context);
  try {
    for await (const piece of textPieces(all, context, () => text.line)) text.push(piece);
    return text.end();
  } catch (error) {
    const digits = onDigits && cells?.takeDigitRows();
    if (digits) onDigits(digits);
    throw error;
  }
}

const EXPECTED =
  'rows of 0 and 1 in a format that is read here: CSV, TSV, DEBD .data, libsvm, NPY or IDX, plain or gzipped';

/** What is asked for, as the content is known. */
export const FORMAT_OF_CONTENT = {
  any: undefined,
  csv: 'csv',
  tsv: 'csv',
  data: 'csv',
  libsvm: 'libsvm',
  npy: 'npy',
  idx: 'idx',
} as const satisfies Record<Format | 'any', FileFormat | undefined>;

/** DEBD's files have no header unless one is asked for. */
function withHeader(context: ReadContext): ReadContext {
  const { format } = context.options;
  const isData = format === 'data' || (format === undefined && extensionOf(context.name) === 'data');
  return isData && context.header === 'auto' ? { ...context, header: false } : context;
}

/** The delimiter of a text: that of its format or name, else a tab where line 1 has some and no comma. */
function between({ name, syntax, options: { format } }: ReadContext, head: Uint8Array, named: string | null): string {
  if (format !== undefined) return format === 'tsv' ? '\t' : ',';
  if (named !== null || extensionOf(name) === 'csv' || extensionOf(name) === 'data') return named ?? ',';
  const lines = Buffer.from(textHead(head, syntax.encoding))
    .toString('latin1')
    .split('\n', syntax.skip + 1);
  const line = lines.at(-1)!;
  return line.includes('\t') && !line.includes(',') ? '\t' : ',';
}

/**
 * Hands over the first bytes, at least `least` of them or up to the first `stop` (where there are so many), and all
 * bytes again. The source is closed afterwards, whether or not they were asked for.
 */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
  least: number,
  stop: number | null,
  use: (head: Uint8Array, all: AsyncIterable<Uint8Array>) => Promise<ReadRows>,
): Promise<ReadRows> {
  const iterator = bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let stopped = false;
  let ended = false;
  try {
    while (!ended && length < least && !(stopped && length >= 16)) {
      const { done, value } = await iterator.next();
      if (done) ended = true;
      else {
        chunks.push(value);
        length += value.length;
        stopped ||= stop !== null && value.includes(stop);
      }
    }
    const head = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    async function* again(): AsyncGenerator<Uint8Array, void> {
      if (head.length > 0) yield head;
      while (!ended) {
        const { done, value } = await iterator.next();
        ended = done === true;
        if (value !== undefined) yield value;
      }
    }
    return await use(head, again());
  } finally {
    if (!ended) await iterator.return?.();
  }
}
