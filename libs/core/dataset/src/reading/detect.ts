import { DatasetError } from '../errors.js';
import { foreignFile } from '../table-files/foreign-files.js';
import { schemaMessage } from '../table-files/arrow/schema-message.js';
import { markRemedy, textHead } from '../table-files/lines/text-encoding.js';
import { afterLine, byteOrderMark } from '../table-files/lines/text-pieces.js';
import type { TextSyntax } from './text-syntax.js';
import type { TableFormat } from '../table-files/table-options.js';
import { withWord, type OptionWord } from './option-words.js';

/** Formats as their content is known; text with any delimiter is `csv`. */
export type FileFormat = TableFormat | 'idx';

export interface DetectedFile {
  readonly format: FileFormat;
  /** Of a text, the delimiter that its name stands for; null where it has none. */
  readonly delimiter: string | null;
}

/** What is asked of a file. */
export interface Asked {
  /** The file's name in messages. */
  readonly name: string;
  /** @default known by the content, then by the name */
  readonly format: FileFormat | undefined;
  /** What is read, for messages. */
  readonly expected: string;
  readonly wordFor: OptionWord<'format' | 'encoding'>;
  /** How a text is written. */
  readonly syntax: Pick<TextSyntax, 'encoding' | 'skip'>;
}

const text = (format: FileFormat, delimiter: string | null = null): DetectedFile => ({ format, delimiter });

const BY_EXTENSION: Readonly<Record<string, DetectedFile>> = {
  csv: text('csv'),
  txt: text('csv'),
  data: text('csv'),
  tsv: text('csv', '\t'),
  tab: text('csv', '\t'),
  jsonl: text('jsonl'),
  ndjson: text('jsonl'),
  json: text('jsonl'),
  libsvm: text('libsvm'),
  svmlight: text('libsvm'),
  svm: text('libsvm'),
};

/** Formats that are no text. */
const BINARY: ReadonlySet<FileFormat> = new Set(['parquet', 'arrow', 'npy', 'npz', 'idx']);

/** Whether bytes are gzip's. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * What a file is by its first bytes, unpacked: a binary format by its magic, a text by the extension of its name,
 * and without a known one by its first line. What the caller asks for goes before both, but not against the content.
 * @throws DatasetError with code `format`, `encoding` or `empty`
 */
export function detectFile(head: Uint8Array, { name, format, expected, wordFor, syntax }: Asked): DetectedFile {
  const refuse = (got: string, wanted: string, remedy: string): never => {
    throw new DatasetError('format', { got, expected: wanted, where: name, remedy });
  };
  if (head.length === 0)
    throw new DatasetError('empty', {
      got: 'an empty file',
      expected: 'at least one row',
      where: name,
      remedy: 'Check that the right file was given.',
    });
  const remedyOfFormat = 'Leave the format out: it is known by the content.';
  const magic = binaryFormat(head);
  if (magic !== null) {
    if (format === undefined || format === magic) return { format: magic, delimiter: null };
    refuse(`content that is ${magic}`, `${format} as asked`, remedyOfFormat);
  }
  const start = afterLines(textHead(head, syntax.encoding), syntax.skip);
  const foreign = foreignFile(start);
  if (foreign) refuse(foreign.kind, expected, foreign.remedy);
  checkText(name, start, wordFor, (got) => {
    const way = withWord(wordFor, 'give the format', 'format');
    refuse(got, expected, `Check that the right file was given, and ${way} if it is a known one.`);
  });
  if (format !== undefined && BINARY.has(format)) refuse('text', `${format} as asked`, remedyOfFormat);
  const extension = extensionOf(name);
  const named = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : null;
  if (format !== undefined) return named?.format === format ? named : text(format);
  return named ?? text(sniff(start));
}

/** The last part of a file's name, without that of how it is packed. */
export function extensionOf(name: string): string {
  return /\.([a-z]+)$/i.exec(name.replace(/\.(gz|bz2|zst|zstd)$/i, ''))?.[1]?.toLowerCase() ?? '';
}

/** What content is that cannot be text; null where it may be. */
export function binaryFormat(head: Uint8Array): FileFormat | null {
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1', 0, 256);
  if (start.startsWith('PAR1')) return 'parquet';
  if (start.startsWith('\x93NUMPY')) return 'npy';
  if (/^PK\x03\x04[^]{26}[^\0]{0,200}\.npy/.test(start)) return 'npz';
  if (start.startsWith('ARROW1') || isArrowStream(head)) return 'arrow';
  return /^\0\0[\x08-\x0e][\x01-\x08]/.test(start) ? 'idx' : null;
}

/**
 * A message of a stream begins with a mark, then the length of what describes it; before Arrow 0.15 with the length
 * alone, so that only a schema shows what it is.
 */
export function isArrowStream(head: Uint8Array): boolean {
  const isMarked = head.length >= 8 && head.subarray(0, 4).every((byte) => byte === 255) && head[7] === 0;
  return isMarked || (head[2] === 0 && head[3] === 0 && schemaMessage(head, 0) !== null);
}

/** The beginning of a text without its first lines. */
function afterLines(head: Uint8Array, count: number): Uint8Array {
  let from = 0;
  for (let line = 0; line < count && from < head.length; line++) from = afterLine(head, from);
  return head.subarray(from);
}

/** Of bytes, one in so many may be a control character in a text that is damaged; in other content more are. */
const BYTES_A_CONTROL = 32;

const BYTES_SHOWN = 8;

/** As `0a ff 00`. */
function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Refuses what is not text. UTF-16 without its mark is known by zeros at every other byte. */
function checkText(name: string, head: Uint8Array, wordFor: Asked['wordFor'], refuse: (got: string) => void): void {
  let [even, odd, controls] = [0, 0, 0];
  const looked = Math.min(head.length, 512);
  for (let i = 0; i < looked; i++) {
    const byte = head[i]!;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) controls++;
    if (byte !== 0) continue;
    if (i % 2 === 0) even++;
    else odd++;
  }
  if (Math.max(even, odd) > looked / 4 && Math.min(even, odd) === 0) {
    const encoding = odd > 0 ? 'utf-16le' : 'utf-16be';
    throw new DatasetError('encoding', {
      got: 'UTF-16 without its mark',
      expected: 'UTF-8, or UTF-16 with a byte order mark',
      where: name,
      remedy: markRemedy(encoding, wordFor),
    });
  }
  // one among letters is refused by its line, where it is read
  if (even + odd > 0 && controls * BYTES_A_CONTROL > looked)
    refuse(`binary content, whose first bytes are ${hexOf(head.subarray(0, BYTES_SHOWN))}`);
}

/** What a text of no known name is, by its first line. */
function sniff(head: Uint8Array): FileFormat {
  const start = new TextDecoder().decode(head.subarray(byteOrderMark(head))).trimStart();
  if (/^(\{\s*"|\[\s*[[{])/.test(start)) return 'jsonl';
  return /^([-+.\de]+[ \t]+)?(qid:\d+[ \t]+)?\d+:[-+.\de]+([ \t]+\d+:[-+.\de]+)*[ \t]*(#|\r|\n|$)/i.test(start)
    ? 'libsvm'
    : 'csv';
}
