import { checkText } from '../bit-files/detect.js';
import { DatasetError } from '../errors.js';
import { withWord } from '../reading/option-words.js';
import { foreignFile } from './foreign-files.js';
import { TABLE_FORMATS, type TableContext, type TableFormat } from './table-options.js';

/** What a file is: its format, and for a text the delimiter that its name stands for. */
export interface DetectedTable {
  readonly format: TableFormat;
  readonly delimiter: string | null;
}

const BY_EXTENSION: Readonly<Record<string, DetectedTable>> = {
  csv: { format: 'csv', delimiter: null },
  txt: { format: 'csv', delimiter: null },
  data: { format: 'csv', delimiter: null },
  tsv: { format: 'csv', delimiter: '\t' },
  tab: { format: 'csv', delimiter: '\t' },
  jsonl: { format: 'jsonl', delimiter: null },
  ndjson: { format: 'jsonl', delimiter: null },
  json: { format: 'jsonl', delimiter: null },
  libsvm: { format: 'libsvm', delimiter: null },
  svmlight: { format: 'libsvm', delimiter: null },
  svm: { format: 'libsvm', delimiter: null },
};

/**
 * What a file is by its first bytes: a binary format by its magic, a text by the extension of its name, and without a
 * known one by its first line. What the caller says goes before both, but not against the content.
 * @throws DatasetError with code `format`, `encoding` or `empty`.
 */
export function detectTable(context: TableContext, head: Uint8Array): DetectedTable {
  const { name, options, wordFor } = context;
  if (head.length === 0)
    throw new DatasetError('empty', {
      got: 'an empty file',
      expected: 'at least one row',
      where: name,
      remedy: 'Check that the right file was given.',
    });
  const magic = binaryFormat(head);
  if (magic !== null) {
    if (options.format === undefined || options.format === magic) return { format: magic, delimiter: null };
    throw new DatasetError('format', {
      got: `content that is ${magic}`,
      expected: `${options.format} as asked`,
      where: name,
      remedy: 'Leave the format out: it is told by the content.',
    });
  }
  const foreign = foreignFile(head);
  const expected = `a table of a format that is read here: ${TABLE_FORMATS.join(', ')}`;
  if (foreign) throw new DatasetError('format', { got: foreign.kind, expected, where: name, remedy: foreign.remedy });
  checkText(name, head, (got) => {
    const format = withWord(wordFor, 'give the format', 'format');
    throw new DatasetError('format', {
      got,
      expected,
      where: name,
      remedy: `Check that the right file was given, and ${format} if it is a known one.`,
    });
  });
  if (options.format !== undefined && BINARY.includes(options.format))
    throw new DatasetError('format', {
      got: 'text',
      expected: `${options.format} as asked`,
      where: name,
      remedy: 'Leave the format out: it is told by the content.',
    });
  const extension = /\.([a-z]+)$/i.exec(name.replace(/\.gz$/i, ''))?.[1]?.toLowerCase() ?? '';
  const named = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : null;
  if (options.format !== undefined)
    return named?.format === options.format ? named : { format: options.format, delimiter: null };
  return named ?? { format: sniff(head), delimiter: null };
}

/** Formats that are no text. */
const BINARY: readonly TableFormat[] = ['parquet', 'arrow', 'npy', 'npz'];

function binaryFormat(head: Uint8Array): TableFormat | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1', 0, 256);
  if (text.startsWith('PAR1')) return 'parquet';
  if (text.startsWith('\x93NUMPY')) return 'npy';
  if (/^PK\x03\x04[^]{26}[^\0]{0,200}\.npy/.test(text)) return 'npz';
  return text.startsWith('ARROW1') || isArrowStream(head) ? 'arrow' : null;
}

/** A message of a stream begins with a mark, then the length of what describes it. */
export function isArrowStream(head: Uint8Array): boolean {
  return head.length >= 8 && head.subarray(0, 4).every((byte) => byte === 255) && head[7] === 0;
}

/** What a text of no known name is, by its first line. */
function sniff(head: Uint8Array): TableFormat {
  const text = new TextDecoder().decode(head).trimStart();
  if (/^(\{\s*"|\[\s*[[{])/.test(text)) return 'jsonl';
  return /^([-+.\de]+[ \t]+)?(qid:\d+[ \t]+)?\d+:[-+.\de]+([ \t]+\d+:[-+.\de]+)*[ \t]*(#|\r|\n|$)/i.test(text)
    ? 'libsvm'
    : 'csv';
}
