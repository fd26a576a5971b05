import { DatasetError, quote } from '../errors.js';
import { byteOrderMark } from '../table-files/lines/text-pieces.js';
import { NPY_MAGIC } from './npy.js';
import { withWord, type OptionWord } from '../reading/option-words.js';
import type { Format } from '../reading/options.js';

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  data: 'data',
  libsvm: 'libsvm',
  svmlight: 'libsvm',
  svm: 'libsvm',
  npy: 'npy',
  idx: 'idx',
};

const BINARY_KINDS: readonly (readonly [string, readonly number[]])[] = [
  ['a zip archive (an .npz, perhaps)', [0x50, 0x4b, 3, 4]],
  ['a Parquet file', [0x50, 0x41, 0x52, 0x31]],
  ['an HDF5 file', [0x89, 0x48, 0x44, 0x46]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['gzip within gzip', [0x1f, 0x8b]],
];

const startsWith = (bytes: Uint8Array, start: ArrayLike<number>): boolean =>
  Array.from(start).every((byte, i) => bytes[i] === byte);

/** Whether bytes are gzip's. */
export function isGzip(head: Uint8Array): boolean {
  return startsWith(head, [0x1f, 0x8b]);
}

/**
 * The format of a file by its first bytes (without gzip): a binary format by its magic, a text by the extension of its
 * name, and without a known one by its first line. What the caller says goes before both, but not against the content.
 * @param head at least the first line, or 64 KiB of it
 * @throws DatasetError with code `format` or `encoding`.
 */
export function detectFormat(name: string, head: Uint8Array, forced: Format | undefined, wordFor: OptionWord): Format {
  const extension = /\.([a-z]+)$/i.exec(name.replace(/\.gz$/i, ''))?.[1]?.toLowerCase() ?? '';
  const named = forced ?? (Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined);
  const content = binaryFormat(head);
  const refuse = (got: string, expected: string): never => {
    const format = withWord(wordFor, 'give the format', 'format');
    const remedy = `Read CSV, TSV, DEBD .data, libsvm, NPY or IDX, plain or gzipped, and ${format} if the name misleads.`;
    throw new DatasetError('format', { got, expected, where: name, remedy });
  };
  if (content !== null) {
    if (forced !== undefined && forced !== content)
      refuse(`content that is ${content.toUpperCase()}`, `${forced} as asked`);
    return content;
  }
  if (named === 'npy' || named === 'idx')
    refuse('content of another kind', `${named.toUpperCase()}, as the format or the name says`);
  const kind = BINARY_KINDS.find(([, magic]) => startsWith(head, magic))?.[0];
  if (kind) refuse(kind, 'a format that is read here');
  checkText(name, head, refuse);
  return named ?? sniffText(head);
}

function binaryFormat(head: Uint8Array): 'npy' | 'idx' | null {
  if (startsWith(head, NPY_MAGIC)) return 'npy';
  const looksLikeIdx = head.length >= 4 && head[0] === 0 && head[1] === 0 && head[2]! >= 8 && head[2]! <= 14;
  return looksLikeIdx && head[3]! >= 1 && head[3]! <= 8 ? 'idx' : null;
}

/**
 * Refuses what is no text. UTF-16 is known by its mark, or by zeros at every other byte.
 * @param head the first bytes
 */
export function checkText(name: string, head: Uint8Array, refuse: (got: string, expected: string) => never): void {
  const zeros: [even: number, odd: number] = [0, 0];
  const looked = Math.min(head.length, 512);
  for (let i = 0; i < looked; i++) if (head[i] === 0) zeros[(i & 1) as 0 | 1]++;
  const isMarked = startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff]);
  if (isMarked || (Math.max(zeros[0], zeros[1]) > looked / 4 && Math.min(zeros[0], zeros[1]) === 0))
    throw new DatasetError('encoding', {
      got: 'UTF-16',
      expected: 'UTF-8, with or without a byte order mark',
      where: name,
      remedy: 'Save the file as UTF-8 (as "CSV UTF-8"), or convert it: iconv -f UTF-16 -t UTF-8.',
    });
  if (zeros[0]! + zeros[1]! > 0) refuse(`binary content that begins with ${quote(printable(head))}`, 'text');
}

function sniffText(head: Uint8Array): Format {
  const text = new TextDecoder().decode(head.subarray(byteOrderMark(head)));
  const line = text.slice(0, (text.indexOf('\n') + 1 || text.length + 1) - 1).trim();
  const tokens = line.split(/[ \t]+/, 8);
  const pairs = tokens.filter((token, i) => /^\d+:[^:]+$/.test(token) || (i === 1 && /^qid:\d+$/.test(token)));
  if (pairs.length > 0 && !line.includes(',') && pairs.length >= tokens.length - 1) return 'libsvm';
  return line.includes('\t') && !line.includes(',') ? 'tsv' : 'csv';
}

function printable(head: Uint8Array): string {
  return String.fromCharCode(...head.subarray(0, 12));
}
