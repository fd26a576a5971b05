import { DatasetError, quote } from '../errors.js';
import { detectFile, type Asked, type FileFormat } from '../reading/detect.js';
import { firstBytes, type RowFile } from '../reading/row-file.js';
import { checkTextOptions, type TextOptions } from '../reading/text-syntax.js';
import { listNames } from '../rows/columns.js';
import { openText, HEAD_BYTES } from '../table-files/open-text-table.js';
import { obeySeparatorLine } from '../table-files/csv/separator-line.js';
import type { RawTable } from '../table-files/raw-table.js';
import { checkTableOptions, type TableFileOptions, type TableFormat } from '../table-files/table-options.js';
import { byteOrderMark } from '../table-files/lines/text-pieces.js';
import { noteOfParts, type FileOfParts } from './file-of-parts.js';
import { behindLines, countLines, endsLine } from './line-ends.js';

/** What parts have to be to be read one after another. */
export type PartOptions = TextOptions & Pick<TableFileOptions, 'format' | 'header' | 'delimiter' | 'names' | 'wordFor'>;

/** Texts that are read as one, without the names that each part begins with. */
export interface JoinedTexts {
  readonly file: RowFile;
  /** Whether the parts begin with the names of the columns; undefined of formats whose names are elsewhere. */
  readonly header: boolean | undefined;
  /** What went wrong, at its line of its part. */
  placed(error: unknown): Promise<unknown>;
  /** The table whose errors are at lines of parts. */
  placedTable(raw: RawTable): RawTable;
}

interface TextPart {
  readonly file: RowFile;
  /** Lines that are not taken: all of what stands above the rows. */
  readonly passed: number;
}

const NEWLINE = new Uint8Array([10]);
const TEXTS: ReadonlySet<FileFormat> = new Set(['csv', 'jsonl', 'libsvm']);

/**
 * The format that all parts are of; null where each part is empty.
 *
 * @throws DatasetError where they differ
 */
export async function formatOfParts({ parts }: FileOfParts, asked: Omit<Asked, 'name'>): Promise<FileFormat | null> {
  let first: { readonly name: string; readonly format: FileFormat } | null = null;
  for (const { name, head } of parts) {
    const bytes = await head(HEAD_BYTES);
    if (bytes.length === 0) continue;
    const { format } = detectFile(bytes, { ...asked, name });
    first ??= { name, format };
    if (first.format === format) continue;
    throw new DatasetError('format', {
      got: `content that is ${format}`,
      expected: `${first.format}, as in ${first.name}`,
      where: name,
      remedy: 'Give parts of one format.',
    });
  }
  return first?.format ?? null;
}

export function isTextFormat(format: FileFormat | null): format is 'csv' | 'jsonl' | 'libsvm' {
  return format !== null && TEXTS.has(format);
}

/**
 * Joins texts: the rows of each follow those of the one before, and names are taken from the first alone.
 *
 * @throws DatasetError where a part has other names, and says which
 */
export async function joinTexts(
  whole: FileOfParts,
  format: 'csv' | 'jsonl' | 'libsvm',
  options: PartOptions,
): Promise<JoinedTexts> {
  const { name, parts, keep, close } = whole;
  const { skip } = checkTextOptions(options);
  const filled: RowFile[] = [];
  for (const part of parts) if (await hasText(part, options)) filled.push(part);
  const [first] = filled;
  if (first === undefined)
    throw new DatasetError('empty', {
      got: 'parts without a row',
      expected: 'at least one row',
      where: name,
      remedy: 'Check that the right files were given.',
    });
  let header: boolean | undefined;
  const texts: TextPart[] = [{ file: first, passed: 0 }];
  if (format === 'csv') {
    const tableOf = (file: RowFile, how: PartOptions): Promise<RawTable> => openCsvPart(file, how);
    header = (await tableOf(first, options)).hasHeader;
    const how = { ...options, header, names: undefined };
    const { columns } = await tableOf(first, how);
    for (const file of filled.slice(1)) {
      const part = await tableOf(file, how);
      checkNames(part, { name: first.name, columns, header });
      texts.push({ file, passed: (part.firstLine ?? skip + 1) - 1 });
    }
  } else
    for (const file of filled.slice(1)) {
      if (format === 'jsonl') await refuseList(file);
      texts.push({ file, passed: skip });
    }
  const bytes = (): AsyncGenerator<Uint8Array, void> => joined(texts);
  const file: RowFile = {
    name,
    bytes,
    head: async (least) => firstBytes(bytes(), least),
    change: async () => {
      for (const text of texts) {
        const changed = (await text.file.change?.()) ?? null;
        if (changed !== null) return changed;
      }
      return null;
    },
    path: async () => keep(bytes()),
    keep,
    close,
  };
  const placed = (error: unknown): Promise<unknown> => atPart(error, name, texts);
  return {
    file,
    header,
    placed,
    placedTable: (raw) => ({ ...placedTable(raw, placed), notes: withFirst(noteOfParts(whole), raw.notes) }),
  };
}

/** The same list, to which the first pass may add: with a note before those that are there. */
function withFirst(note: string, notes: readonly string[]): readonly string[] {
  (notes as string[]).unshift(note);
  return notes;
}

async function* joined(texts: readonly TextPart[]): AsyncGenerator<Uint8Array, void> {
  let last = NEWLINE[0]!;
  for (const { file, passed } of texts) {
    if (!endsLine(last)) yield NEWLINE;
    let isFirst = texts[0]!.file !== file && passed === 0;
    for await (const chunk of behindLines(file.bytes(), passed)) {
      const from = isFirst ? byteOrderMark(chunk) : 0;
      isFirst = false;
      if (from === chunk.length) continue;
      last = chunk.at(-1)!;
      yield chunk.subarray(from);
    }
  }
}

/** Whether a part has more than blanks. @throws DatasetError for UTF-16, which cannot be cut behind bytes */
async function hasText({ name, head }: RowFile, { encoding }: TextOptions): Promise<boolean> {
  const start = await head(HEAD_BYTES);
  const isMarked = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (isMarked || /^(utf-?16|ucs)/i.test(encoding ?? ''))
    throw new DatasetError('encoding', {
      got: 'UTF-16',
      expected: 'parts in UTF-8, or in an encoding of single bytes',
      where: name,
      remedy: 'Write it as UTF-8: iconv -f UTF-16 -t UTF-8.',
    });
  return start.some((byte) => byte > 32);
}

/** Opens a part to look at it: nothing is kept open. */
async function openCsvPart(file: RowFile, options: PartOptions): Promise<RawTable> {
  const head = await file.head(HEAD_BYTES);
  const format = options.format as TableFormat | undefined;
  const context = obeySeparatorLine(checkTableOptions(file.name, { ...options, format }), head);
  const { name, wordFor, syntax } = context;
  const { delimiter } = detectFile(head, { name, format, expected: 'a text', wordFor, syntax });
  return openText(file, context, { format: 'csv', delimiter }, null);
}

function checkNames(
  { name, columns }: RawTable,
  first: { readonly name: string; readonly columns: readonly string[]; readonly header: boolean },
): void {
  const at = columns.findIndex((column, i) => column !== first.columns[i]);
  if (at < 0 && columns.length === first.columns.length) return;
  const names = (list: readonly string[]): string => (first.header ? `: ${listNames(list)}` : '');
  const place = at < 0 ? columns.length : at;
  const has = columns[place];
  const wanted = first.columns[place];
  throw new DatasetError('column', {
    got: `${columns.length} columns${names(columns)}${first.header ? `; column ${place + 1} is ${has === undefined ? 'not there' : quote(has)}` : ''}`,
    expected: `those of ${first.name}, ${first.columns.length}${names(first.columns)}${first.header ? `; column ${place + 1} is ${wanted === undefined ? 'not there' : quote(wanted)}` : ''}`,
    where: name,
    remedy: first.header
      ? 'Give all parts the same columns in the same order.'
      : 'Give all parts the same number of columns.',
  });
}

async function refuseList({ name, head }: RowFile): Promise<void> {
  const start = new TextDecoder().decode(await head(HEAD_BYTES)).trimStart();
  if (!start.startsWith('[')) return;
  throw new DatasetError('format', {
    got: 'a list of objects in one of several parts',
    expected: 'one object per line in each part',
    where: name,
    remedy: 'Write JSON lines with df.to_json("part-1.jsonl", orient="records", lines=True).',
  });
}

/** The line of its part, where a refusal names one of all: parts are counted anew, which only a refusal takes. */
async function atPart(error: unknown, name: string, texts: readonly TextPart[]): Promise<unknown> {
  if (!(error instanceof DatasetError) || error.where?.startsWith(`${name}, line `) !== true) return error;
  const [, line, behind] = /^(\d+)(.*)$/s.exec(error.where.slice(`${name}, line `.length)) ?? [];
  if (line === undefined) return error;
  let left = Number(line);
  for (const { file, passed } of texts) {
    const lines = (await countLines(file.bytes())) - passed;
    if (left > lines && file !== texts.at(-1)!.file) {
      left -= lines;
      continue;
    }
    const { code, got, expected, remedy } = error;
    const where = `${file.name}, line ${left + passed}${behind ?? ''}`;
    return new DatasetError(code, { got, expected, remedy, where }, { cause: error });
  }
  return error;
}

function placedTable(raw: RawTable, placed: (error: unknown) => Promise<unknown>): RawTable {
  return {
    ...raw,
    async *batches(needed) {
      try {
        yield* raw.batches(needed);
      } catch (error) {
        throw await placed(error);
      }
    },
    ...(raw.withMarks && { withMarks: (columns) => placedTable(raw.withMarks!(columns), placed) }),
  };
}
