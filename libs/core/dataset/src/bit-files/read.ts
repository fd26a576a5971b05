import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ArrayParser } from './array-parser.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { DelimitedParser } from './delimited.js';
import { byteOrderMark, detectFormat, isGzip } from './detect.js';
import { DatasetError } from '../errors.js';
import { readIdxHead } from './idx.js';
import { LibsvmParser } from './libsvm.js';
import { readNpyHead } from './npy.js';
import { checkOptions, type Format, type ReadContext, type ReadOptions } from '../reading/options.js';
import type { ReadRows } from './row-sink.js';
import { nameOf, readBytes, type Source } from '../reading/source.js';

/** Takes a file piece by piece, keeping none of the pieces. */
interface Parser {
  push(chunk: Uint8Array): void;
  end(): ReadRows;
}

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
  const rows = await peek(readBytes(source), 2, null, (head, all) =>
    isGzip(head) ? readGzip(context, all) : readPlain(context, all),
  );
  if (rows.values.dimensions === 1)
    context.options.onNote?.(`${context.name} has one column: there is nothing to learn but how often it is 1.`);
  return rows;
}

async function readGzip(context: ReadContext, bytes: AsyncIterable<Uint8Array>): Promise<ReadRows> {
  let rows: ReadRows | null = null;
  const errors: unknown[] = [];
  try {
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createGunzip({ chunkSize: HEAD_BYTES }),
      async (unzipped: AsyncIterable<Uint8Array>) => {
        try {
          rows = await readPlain(context, unzipped);
        } catch (error) {
          errors.push(error);
          throw error;
        }
      },
    );
  } catch (error) {
    // what went wrong first may be covered by the aborting of the other stages
    errors.push(error);
    throw errors.find((each) => each instanceof DatasetError) ?? zipError(context, errors);
  }
  return rows!;
}

function zipError(context: ReadContext, errors: readonly unknown[]): unknown {
  for (const cause of errors) {
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    if (!code?.startsWith('Z_')) continue;
    const isShort = code === 'Z_BUF_ERROR';
    return new DatasetError(
      isShort ? 'truncated' : 'format',
      {
        got: isShort ? 'gzip that ends too early' : `gzip that does not hold (${(cause as Error).message})`,
        expected: 'a whole gzip file',
        where: context.name,
        remedy: 'Copy or compress the file again.',
      },
      { cause },
    );
  }
  return errors[0];
}

function readPlain(context: ReadContext, bytes: AsyncIterable<Uint8Array>): Promise<ReadRows> {
  return peek(bytes, HEAD_BYTES, NEWLINE, (head, all) => readAs(context, head, all));
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
  const parser = parserOf(format, context);
  let skip = format === 'npy' || format === 'idx' ? 0 : byteOrderMark(head);
  for await (const chunk of all) {
    parser.push(skip > 0 ? chunk.subarray(skip) : chunk);
    skip = 0;
  }
  return parser.end();
}

function parserOf(format: Format, context: ReadContext): Parser {
  switch (format) {
    case 'csv':
      return new DelimitedParser(context, 44);
    case 'tsv':
      return new DelimitedParser(context, 9);
    case 'data':
      return new DelimitedParser(context.header === 'auto' ? { ...context, header: false } : context, 44);
    case 'libsvm':
      return new LibsvmParser(context);
    case 'npy':
      return new ArrayParser(context, readNpyHead);
    case 'idx':
      return new ArrayParser(context, readIdxHead);
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
