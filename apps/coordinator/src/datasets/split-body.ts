import type { DatasetFacts } from '@orchard/contracts';
import { FORMATS, readTrainingRows, type Format, type ReadOptions, type TrainingRows } from '@orchard/dataset';
import type { ComputationContext } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { MemoryShare } from '../http/request-memory.js';
import { tableFileOptionsOf, tableOptionsOf } from './describe-documents.js';
import { bytesOf, hashRows } from './hash-rows.js';
import type { SplitQuery, SplitsAnswer } from './split-documents.js';
import { openBody, untilGone, type TableBody } from './table-body.js';

/** Parameters that say nothing of a table alone. */
const OF_ANY_ROWS: ReadonlySet<string> = new Set([
  'format',
  'header',
  'missing',
  'zero-based',
  'encoding',
  'skip',
  'comment',
  'quote',
  'escape',
  'valid-fraction',
  'test-fraction',
  'seed',
]);
/** Bytes of a row's cells at most, on their way to codes; more is the business of `orchard submit`. */
const CELL_BYTES = 8;

/**
 * The parts of a table and what is answered beside their ids. Rows lie flat in it, so that a thread gives their buffers
 * and no copies.
 */
export interface SplitRows extends Omit<SplitsAnswer, 'train' | 'valid' | 'test'> {
  readonly facts: readonly DatasetFacts[];
  readonly train: Uint8Array<ArrayBuffer>;
  readonly valid: Uint8Array<ArrayBuffer>;
  readonly test: Uint8Array<ArrayBuffer> | null;
}

/**
 * Reads a table from a body and shares its rows out, as `orchard submit` does on the client's machine: for clients that
 * have a browser alone.
 *
 * @throws DatasetError for a file that cannot be read; CoordinatorError `too-large`, `over-limit`, `unavailable`
 */
export async function splitBody(body: TableBody<SplitQuery>, context: ComputationContext): Promise<SplitRows> {
  const { query } = body;
  const share = new MemoryShare(body.memory);
  const notes: string[] = [];
  const { train, valid, test, asTable } = await readSplits();
  const parts = (test === null ? [train, valid!] : [train, valid!, test]).map((part) => hashRows(bytesOf(part)));
  return {
    model: families.usualFor(train.columns.kind).name,
    facts: parts.map(({ facts }) => facts),
    train: parts[0]!.bytes,
    valid: parts[1]!.bytes,
    test: parts[2]?.bytes ?? null,
    rows: { train: train.rows, valid: valid!.rows, test: test?.rows ?? null },
    ...(query.weights !== undefined && { members: 1 }),
    notes,
    leftOut: [...(asTable?.table.leftOut ?? [])],
  };

  async function readSplits(): Promise<TrainingRows> {
    const fractions = { valid: query['valid-fraction'], test: query['test-fraction'] };
    const saysTable = Object.entries(query).some(([name, value]) => value !== undefined && !OF_ANY_ROWS.has(name));
    const formatOfBits = FORMATS.find((known) => known === query.format);
    let columns = 0;
    const mayBeBits = !saysTable && (query.format === undefined || formatOfBits !== undefined);
    const file = await openBody(body);
    try {
      return await readTrainingRows(
        { train: file, valid: null, test: null },
        {
          bits: mayBeBits ? () => bitOptions(formatOfBits) : null,
          table: { ...tableFileOptionsOf(query), format: query.format, maxUnpackedBytes: body.bytes },
          columns: {
            ...tableOptionsOf(query),
            weights: query.weights,
            onRule: ({ note }) => notes.push(note),
          },
          fractions,
          seed: query.seed,
          checkRows: (_, repeated) => {
            share.take(repeated * columns * CELL_BYTES);
          },
          wrap: (raw) => {
            columns = raw.columns.length;
            return untilGone(raw, context);
          },
          onNote: (note) => notes.push(note),
        },
      );
    } finally {
      await file.close();
    }
  }

  function bitOptions(formatOfBits: Format | undefined): ReadOptions {
    const { header, missing, encoding, skip, comment, quote, escape } = tableFileOptionsOf(query);
    const onMemory = (more: number): void => share.take(more);
    return {
      format: formatOfBits,
      header,
      missing,
      encoding,
      skip,
      comment,
      quote,
      escape,
      maxCells: body.cells,
      onMemory,
    };
  }
}
