import { BitMatrix, type EncodedRows } from '@orchard/dataset';
import type { TableScores } from '@orchard/model';

export type ScoredPart = Pick<EncodedRows, 'matrix' | 'known' | 'logDensity'>;

const headNumbers = 3;
const numberBytes = 8;

/** Rows as codes: three numbers say how many bytes the codes, what is known of them, and the densities have. */
export function partBytes({ matrix, known, logDensity }: ScoredPart): Uint8Array<ArrayBuffer> {
  const blocks = [bytesOf(matrix), known === null ? new Uint8Array(0) : bytesOf(known), viewOf(logDensity)];
  const starts = [headNumbers * numberBytes];
  for (const block of blocks) starts.push(starts.at(-1)! + aligned(block.length));
  const whole = new Uint8Array(starts.at(-1)!);
  whole.set(viewOf(Float64Array.from(blocks, (block) => block.length)));
  blocks.forEach((block, at) => whole.set(block, starts[at]));
  return whole;
}

/** @throws DatasetError for codes that are no matrix; RangeError for other lengths */
export function partOf(buffer: ArrayBuffer): ScoredPart {
  const lengths = new Float64Array(buffer, 0, headNumbers);
  let at = headNumbers * numberBytes;
  const [codes, known, densities] = Array.from(lengths, (length) => {
    const block = buffer.slice(at, at + length);
    at += aligned(length);
    return block;
  });
  return {
    matrix: BitMatrix.from(codes!),
    known: known!.byteLength === 0 ? null : BitMatrix.from(known!),
    logDensity: new Float64Array(densities!),
  };
}

/** Scores one after another: two numbers first, how many rows there are and how many of them have unknown values. */
export function scoresBytes({ nats, densityNats, errors, cells, incomplete }: TableScores): Uint8Array<ArrayBuffer> {
  const blocks = [Float64Array.of(nats.length, incomplete), nats, densityNats, errors, cells];
  const whole = new Float64Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return viewOf(whole);
}

export function scoresOf(buffer: ArrayBuffer): TableScores {
  const all = new Float64Array(buffer);
  const [rows = 0, incomplete = 0] = all;
  const block = (from: number): Float64Array => all.subarray(2 + from * rows, 2 + (from + 1) * rows);
  return { nats: block(0), densityNats: block(1), errors: block(2), cells: all.subarray(2 + 3 * rows), incomplete };
}

function bytesOf({ buffer }: BitMatrix): Uint8Array {
  return new Uint8Array(buffer);
}

function viewOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / numberBytes) * numberBytes;
}
