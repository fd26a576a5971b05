import { ArrayParser } from './array-parser.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { BitCells } from './delimited.js';
import { detectFormat, isGzip } from './detect.js';
import { DatasetError } from '../errors.js';
import { readIdxHead } from './idx.js';
import { SparseBits } from './libsvm.js';
import { readNpyHead } from './npy.js';
import { checkOptions, type Format, type ReadContext, type ReadOptions } from '../reading/options.js';
import type { ReadRows } from './row-sink.js';
import { unzipped } from '../reading/row-file.js';
import { nameOf, readBytes, type Source } from '../reading/source.js';
import { textPieces } from '../table-files/lines/text-pieces.js';

/** Rows with missing values: where the bit of `known` is 0, that of `values` is 0 and means nothing. */
export interface MaskedRows {
  readonly values: BitMatrix;
  readonly known: BitMatrix;
}

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

/** Reads rows in which values may be missing (`?`, empty, NaN), for completion. Otherwise as {@link readDataset}. */
export async function readMasked(source: Source, options: ReadOptions = {}): Promise<MaskedRows> {
  const { values, known } = await read(source, checkOptions(nameOf(source), options, true));
  return { values, known: known! };
}

async function read(source: Source, context: ReadContext): Promise<ReadRows> {
  const bytes = readBytes(source);
  const rows = await peek(bytes, 2, null, (head, all) =>
    peek(isGzip(head) ? unzipped(all, context.name) : all, HEAD_BYTES, NEWLINE, (first, text) =>
      readAs(context, first, text),
    ),
  );
  if (rows.values.dimensions === 1)
    context.options.onNote?.(`${context.name} has one column: there is nothing to learn but how often it is 1.`);
  return rows;
}

async function readAs(context: ReadContext, head: Uint8Array, all: AsyncIterable<Uint8Array>): Promise<ReadRows> {
  if (head.length === 0)
    throw new DatasetError('empty', {
      got: 'an empty file',
      expected: 'at least one row',
      where: context.name,
      remedy: 'Check that the right file was given.',
    });
  const format = detectFormat(context.name, head, context.options.format, context.wordFor);
  if (format === 'npy' || format === 'idx') {
    const array = new ArrayParser(context, format === 'npy' ? readNpyHead : readIdxHead);
    for await (const chunk of all) array.push(chunk);
    return array.end();
  }
  const text = textParser(format, context);
  for await (const piece of textPieces(all, context, () => text.line)) text.push(piece);
  return text.end();
}

function textParser(format: Exclude<Format, 'npy' | 'idx'>, context: ReadContext): BitCells | SparseBits {
  switch (format) {
    case 'csv':
      return new BitCells(context, ',');
    case 'tsv':
      return new BitCells(context, '\t');
    case 'data':
      return new BitCells(context.header === 'auto' ? { ...context, header: false } : context, ',');
    case 'libsvm':
      return new SparseBits(context);
  }
}

/**
 * Hands over the first bytes, at least `least` of them or up to the first `stop` (where there are so many), and all bytes again. The source
 * is closed afterwards, whether or not they were asked for.
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
